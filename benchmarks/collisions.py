"""How often two originals get the same surrogate, and one original two: the figures of docs/en/reference/anonymize.md.

    python benchmarks/collisions.py NOTES [--scope corpus]

NOTES is a folder of notes in the format `notes`. They are anonymized with their gold labels under the policy
`research`, with identities that are the same throughout the corpus: first all together, then each alone with another
engine, as in separate runs. Every label is counted separately; names count if they have two parts.
"""

from __future__ import annotations

import argparse
import dataclasses
from collections import Counter, defaultdict
from pathlib import Path
from random import Random

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import OLD_SALT, Secret
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.resolve.completing import complete
from nadie.spanish.folding import key_of

_NAMES = (Label.NOMBRE_SUJETO_ASISTENCIA, Label.NOMBRE_PERSONAL_SANITARIO)
COUNTED = (
    *_NAMES,
    Label.ID_SUJETO_ASISTENCIA,
    Label.ID_ASEGURAMIENTO,
    Label.NUMERO_TELEFONO,
    Label.CORREO_ELECTRONICO,
    Label.TERRITORIO,
    Label.HOSPITAL,
)


def count_numbers(length: int, patients: int = 10_000) -> None:
    """Record numbers of so many digits, one for each patient, under the policy `research`."""
    engine = Engine(read_policy("research"), Secret(b"a passphrase for measuring engines", salt=OLD_SALT).key())
    numbers = Random(length).sample(range(10 ** (length - 1), 10**length), patients)
    made = []
    for number in numbers:
        span = Span(5, 5 + length, Label.ID_SUJETO_ASISTENCIA)
        done = engine.run(Document("", f"NHC: {number}.", (span,), {"patient": str(number)}))
        made.append(done.text[5:-1])
    refused = sum(not value.isdigit() for value in made)
    own = sum(str(number) == value for number, value in zip(numbers, made, strict=True))
    real = set(numbers)
    others = sum(value.isdigit() and int(value) in real for value in made)
    print(
        f"{patients} record numbers of {length} digits: {patients - len(set(made)) - max(0, refused - 1)} shared, "
        f"{own} their own, {others} of another patient, {refused} labels"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, nargs="?", help="without it, record numbers are counted")
    parser.add_argument("--scope", default="corpus")
    options = parser.parse_args()
    if options.notes is None:
        for length in (5, 6, 7, 8):
            count_numbers(length)
        return
    policy = dataclasses.replace(read_policy("research"), scope=options.scope)
    key = Secret(b"a passphrase for measuring engines", salt=OLD_SALT).key()
    documents = list(read_documents(options.notes, "notes"))
    engine = Engine(policy, key)
    surrogates: dict[str, dict[str, set[str]]] = {label: defaultdict(set) for label in COUNTED}
    changed = 0
    for document in documents:
        done = engine.run(complete(document, engine.kept))
        changed += Engine(policy, key).run(complete(document, engine.kept)).text != done.text
        for item in done.replaced:
            original = key_of(document.text[item.span.start : item.span.end])
            is_counted = item.span.label in COUNTED and not item.kept and not item.refused
            if is_counted and (item.span.label not in _NAMES or len(original.split()) > 1):
                surrogates[item.span.label][original].add(key_of(done.text[item.start : item.end]))
    print(f"{len(documents)} notes; {changed} differ when they are run alone")
    for label, found in surrogates.items():
        several = sum(len(values) > 1 for values in found.values())
        owners = Counter(value for values in found.values() for value in values)
        shared = sum(count > 1 for count in owners.values())
        print(f"{label}: {len(found)} originals, {several} with two surrogates; {shared} surrogates of two originals")


if __name__ == "__main__":
    main()
