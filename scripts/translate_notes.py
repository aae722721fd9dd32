"""Make notes in Catalan, Valencian, Galician and Portuguese from Spanish ones, with Apertium; spans keep exact offsets.

    python scripts/translate_notes.py data/notes/train OUT.jsonl --language spa-cat [--share 0.1] [--seed 1]

Needs Debian's `apertium-spa-cat`, `apertium-es-gl` or `apertium-es-pt`, and `apertium-lex-tools` with `cg3`. Notes
that are damaged or already in another language are left out. Each span is replaced by a placeholder before the note is
translated. Relatives, professions, dates, ages, sexes and countries are translated apart and inserted; names,
addresses and numbers are inserted as they were, and so are names of relatives and days of one or two letters.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

from nadie.augment.engine import seeded
from nadie.document import Document, Span
from nadie.files.annotated.jsonl import format_line
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.risk.kinds import language_of
from nadie.spanish.folding import fold
from nadie.spanish.kinship import RELATIVES

_TRANSLATED = frozenset(
    {
        Label.FAMILIARES_SUJETO_ASISTENCIA,
        Label.PROFESION,
        Label.FECHAS,
        Label.EDAD_SUJETO_ASISTENCIA,
        Label.SEXO_SUJETO_ASISTENCIA,
        Label.PAIS,
        Label.OTROS_SUJETO_ASISTENCIA,
    }
)
_SEPARATOR = "\n\n◊◊\n\n"
_PLACEHOLDER = re.compile(r"\{(\d+)\}")
_WORDS = re.compile(r"[^\W\d_]{3}")


def is_clean_spanish(document: Document) -> bool:
    meta = document.meta
    is_odd = meta.get("kind") in {"language", "damaged"} or meta.get("layout") == "ocr"
    return not is_odd and language_of(document.text) == "es" and not set("{}◊") & set(document.text)


def is_translated(value: str, label: str) -> bool:
    """Whether a span is translated: not the name of a relative, and no abbreviation such as the `Mi` of a weekday."""
    is_name = (
        label == Label.FAMILIARES_SUJETO_ASISTENCIA and value[:1].isupper() and not RELATIVES & set(fold(value).split())
    )
    return label in _TRANSLATED and not is_name and bool(_WORDS.search(value))


def translate(texts: Sequence[str], language: str) -> list[str]:
    given = _SEPARATOR.join(texts)
    command = ["apertium", "-u", language]
    done = subprocess.run(command, input=given.encode(), capture_output=True, check=True)  # noqa: S603
    found = re.split(r"\s*◊◊\s*", done.stdout.decode("utf-8"))
    if len(found) != len(texts):
        raise SystemExit(f"{len(texts)} texts gave {len(found)} translations")
    return found


def with_placeholders(document: Document) -> str:
    parts, at = [], 0
    for number, span in enumerate(document.spans):
        parts += [document.text[at : span.start], f"{{{number}}}"]
        at = span.end
    return "".join([*parts, document.text[at:]])


def filled(document: Document, translated: str, values: Sequence[str]) -> Document | None:
    """The translated note with the values in place of their placeholders; None if one was lost."""
    parts: list[str] = []
    spans: list[Span] = []
    at = written = 0
    for match in _PLACEHOLDER.finditer(translated):
        parts.append(translated[at : match.start()])
        written += len(parts[-1])
        value, number = values[int(match.group(1))], int(match.group(1))
        spans.append(Span(written, written + len(value), document.spans[number].label))
        parts.append(value)
        written += len(value)
        at = match.end()
    if len(spans) != len(document.spans):
        return None
    text = "".join([*parts, translated[at:]])
    return Document(document.id, text, tuple(sorted(spans)), {**document.meta, "traps": ""})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--language", default="spa-cat")
    parser.add_argument("--share", type=float, default=0.1)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    documents = [
        document
        for document in read_documents(given.notes)
        if seeded(given.seed, document.id + given.language, 2).random() < given.share and is_clean_spanish(document)
    ]
    values = [(document.text_of(span), span.label) for document in documents for span in document.spans]
    words = sorted({value for value, label in values if is_translated(value, label)})
    meanings = dict(zip(words, translate(words, given.language), strict=True))
    bodies = translate([with_placeholders(document) for document in documents], given.language)
    lost = 0
    with given.out.open("a", encoding="utf-8") as out:
        for document, body in zip(documents, bodies, strict=True):
            own = [
                meanings[value] if is_translated(value, span.label) else value
                for span, value in ((span, document.text_of(span)) for span in document.spans)
            ]
            done = filled(document, body, own)
            lost += done is None
            if done is not None:
                renamed = Document(f"{document.id}-{given.language}", done.text, done.spans, done.meta)
                out.write(format_line(renamed))
    print(f"{len(documents) - lost} notes translated, {lost} lost a placeholder")


if __name__ == "__main__":
    main()
