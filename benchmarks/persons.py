"""Whether all written forms of a person's name become the same invented person.

The figures of docs/en/understand/identities.md.

    python benchmarks/persons.py NOTES [--count 100] [--model fast] [--show 5]

NOTES is a folder of notes in the format `notes`. COUNT notes that name somebody with a first name and two surnames are
taken. The name is added at the end of the note in many written forms (`FORMS`), and the note is anonymized with the
gold labels, or with those that MODEL finds. A person is consistent if every written form becomes the same form of the
surrogate of the full name, and none is left unchanged.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.persons.parsing import Kind, parse
from nadie.resolve.completing import complete
from nadie.run.documents import load
from nadie.spanish.folding import fold, without_accents

SECRET = Secret(b"una clave cualquiera para medir", salt=OLD_SALT)
_AROUND = " .,_-"  # a model may include one more sign
Words = tuple[str, str, str]
"""First name, first and second surname."""
Form = tuple[str, str, Callable[[Words], str], Label]
"""The name of the form, the text around it, the written form, and its label."""

NAME, STAFF, RELATIVE = (
    Label.NOMBRE_SUJETO_ASISTENCIA,
    Label.NOMBRE_PERSONAL_SANITARIO,
    Label.FAMILIARES_SUJETO_ASISTENCIA,
)


def _letters(words: Words) -> Words:
    given, first, second = (fold(word).replace("-", "") for word in words)
    return given, first, second


FORMS: tuple[Form, ...] = (
    ("full", "Paciente: {}.", lambda w: f"{w[0]} {w[1]} {w[2]}", NAME),
    ("surnames first", "Apellidos y nombre: {}.", lambda w: f"{w[1]} {w[2]}, {w[0]}", NAME),
    ("capitals", "PACIENTE: {}.", lambda w: f"{w[0]} {w[1]} {w[2]}".upper(), NAME),
    ("capitals, surnames first", "NOMBRE: {}.", lambda w: f"{w[1]} {w[2]}, {w[0]}".upper(), NAME),
    ("without accents", "Paciente {}.", lambda w: without_accents(f"{w[0]} {w[1]} {w[2]}"), NAME),
    ("one surname", "Se presenta {} en la consulta.", lambda w: f"{w[0]} {w[1]}", NAME),
    ("titled surname", "Se informa a Sr./Sra. {}, que acepta.", lambda w: w[1], NAME),
    ("two surnames", "El caso de {} se comenta en sesión.", lambda w: f"{w[1]} {w[2]}", NAME),
    ("first name", "Nombre: {}.", lambda w: w[0], NAME),
    ("initial and surname", "Firmado: {}.", lambda w: f"{w[0][0]}. {w[1]}", NAME),
    ("initials", "Paciente {}, ya conocido.", lambda w: f"{w[0][0]}.{w[1][0]}.{w[2][0]}.", NAME),
    ("lower case", "firma: {}.", lambda w: f"{w[0]} {w[1]} {w[2]}".lower(), NAME),
    ("file name", "Imagen: {}.dcm.", lambda w: "".join(_letters(w)[:2]).upper(), NAME),
    ("surnames first, no comma", "Paciente: {}.", lambda w: f"{w[1]} {w[2]} {w[0]}", NAME),
    ("file name, surname first", "Archivo {}_TC.dcm.", lambda w: f"{_letters(w)[1]}_{_letters(w)[0]}".upper(), NAME),
    ("married", "Acude también como {}.", lambda w: f"{w[0]} {w[1]} de {w[2]}", NAME),
    ("user name", "Usuario: {}.", lambda w: f"{_letters(w)[0][0]}{_letters(w)[1]}", Label.ID_EMPLEO_PERSONAL_SANITARIO),
    ("mail", "Correo: {}.", lambda w: f"{_letters(w)[0]}.{_letters(w)[1]}@correo.es", Label.CORREO_ELECTRONICO),
    ("short mail", "E-mail: {}.", lambda w: f"{_letters(w)[0][0]}{_letters(w)[1]}@correo.es", Label.CORREO_ELECTRONICO),
)


def named(document: Document) -> tuple[str, Words] | None:
    """The label and the words of the first name in the note that has a first name and two surnames, all simple."""
    for span in document.spans:
        if span.label in (NAME, STAFF):
            parts = parse(document.text_of(span)).parts
            kinds = [part.kind for part in parts]
            is_simple = all(
                not p.is_initial and not p.is_short and not p.has_particle and p.raw.isalpha() for p in parts
            )
            if kinds == [Kind.GIVEN, Kind.SURNAME, Kind.SURNAME] and is_simple:
                given, first, second = (part.raw.capitalize() for part in parts)
                return span.label, (given, first, second)
    return None


def written(document: Document, words: Words, label: str) -> tuple[Document, dict[str, Span]]:
    """The note with all written forms of the name at its end, labelled."""
    text, places = document.text.rstrip() + "\n", dict[str, Span]()
    for name, around, writing, own in FORMS:
        before, _, after = around.partition("{}")
        value = writing(words)
        start = len(text) + len(before)
        places[name] = Span(start, start + len(value), label if own == NAME else own)
        text += f"{before}{value}{after}\n"
    return Document(document.id, text, (*document.spans, *places.values())), places


def became(done: Anonymized, place: Span) -> tuple[str, str]:
    """The output text at `place`, and the part of a span beyond its end."""
    shift = end_shift = 0
    for item in done.replaced:
        if item.span.end <= place.start:
            shift = item.end - item.span.end
        if item.span.end <= place.end:
            end_shift = item.end - item.span.end
        elif item.span.start < place.end:
            return done.text[place.start + shift : item.end], done.document.text[place.end : item.span.end]
    return done.text[place.start + shift : place.end + end_shift], ""


def inconsistent(done: Anonymized, places: dict[str, Span], words: Words) -> list[str]:
    """The written forms that do not become the same form of the surrogate of the full name."""
    full = tuple(became(done, places["full"])[0].split())
    wrong = []
    for name, _, writing, own in FORMS:
        new, tail = became(done, places[name])
        if len(full) != 3 or new == writing(words):
            wrong.append(name)
            continue
        expected = writing(full) + tail
        if own is Label.CORREO_ELECTRONICO:
            new, expected = (fold(text).partition("@")[0] for text in (new, expected))
        new, expected = new.strip(_AROUND), expected.strip(_AROUND)
        if fold(new) != fold(expected) or new[:3].isupper() != expected[:3].isupper():
            wrong.append(name)
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--format", default="notes")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--model")
    parser.add_argument("--show", type=int, default=0)
    options = parser.parse_args()
    documents = [document for document in read_documents(options.notes, options.format) if named(document)]
    random.Random(16).shuffle(documents)
    engine = Engine(read_policy("research"), SECRET.key())
    pipeline = load(options.model) if options.model else None
    wrong: Counter[str] = Counter()
    good = 0
    for document in documents[: options.count]:
        label, words = named(document) or ("", ("", "", ""))
        note, places = written(document, words, label)
        found = pipeline.annotate(Document(note.id, note.text)) if pipeline else complete(note, engine.kept)
        done = engine.run(found)
        bad = inconsistent(done, places, words)
        good += not bad
        wrong.update(bad)
        if bad and options.show > 0:
            options.show -= 1
            print(
                [(name, done.document.text_of(places[name]), became(done, places[name])[0]) for name in ["full", *bad]]
            )
    count = min(options.count, len(documents))
    print(f"{options.model or 'right labels'}: consistent in all {len(FORMS)} writings: {good} of {count} persons")
    print(
        f"writings: {count * len(FORMS) - sum(wrong.values())} of {count * len(FORMS)} consistent; not: {dict(wrong)}"
    )


if __name__ == "__main__":
    main()
