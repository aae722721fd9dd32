"""How often two originals get the same surrogate, and one original two: the figures of docs/anonymize.md.

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

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Secret
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--scope", default="corpus")
    options = parser.parse_args()
    policy = dataclasses.replace(read_policy("research"), scope=options.scope)
    key = Secret(b"a key of the benchmark").key()
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
