"""Replacements to be read by eye, original and surrogate side by side: figures in docs/en/understand/read-by-eye.md.

    python benchmarks/readings.py NOTES [--count 30] [--lot 1] [--country ES] [--not ES]

NOTES is a folder of annotated notes. Of the notes in an order that the number of the lot decides, COUNT are taken and
anonymized with their own labels under the policy `research`. For each one a line shows its context, the original
and what became of it; kept values are not shown. Two counts are made by the reader: clinical facts that changed (a
diagnosis, an eponym, an age across a clinical limit, a trait that is false), and replacements that make a clinician of
that country stumble (a wrong gender, a place that does not agree, a name of another origin, a nonsense institution).
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.resolve.completing import complete

_CONTEXT = 38


def country_of(document: Document) -> str:
    """The country in the metadata of a note; notes of MEDDOCAN have none and are from Spain."""
    return document.meta.get("country", "ES")


def show(document: Document, engine: Engine) -> None:
    done = engine.run(complete(document, engine.kept))
    print(f"\n=== {document.id} {country_of(document)}")
    for item in done.replaced:
        old, new = document.text_of(item.span), done.text[item.start : item.end]
        if old == new:
            continue
        before = document.text[max(0, item.span.start - _CONTEXT) : item.span.start]
        after = document.text[item.span.end : item.span.end + _CONTEXT // 2]
        around = [" ".join(text.split("\n")) for text in (before, after)]
        print(f"{around[0]:>{_CONTEXT}} [{old} → {new}] {around[1]}  ({item.span.label[:9].lower()})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--lot", type=int, default=1, help="the first lot has the first COUNT notes of the drawn order")
    parser.add_argument("--country", help="only notes of this country")
    parser.add_argument("--not", dest="other_than", help="no notes of this country")
    options = parser.parse_args()
    notes = [
        note
        for note in read_documents(options.notes)
        if options.country in (None, country_of(note)) and options.other_than != country_of(note)
    ]
    random.Random("readings").shuffle(notes)
    engine = Engine(read_policy("research"), Key(b"r" * 32))
    for note in notes[options.count * (options.lot - 1) : options.count * options.lot]:
        show(note, engine)


if __name__ == "__main__":
    main()
