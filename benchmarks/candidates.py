"""The recall and cost of each step of TCCNN's candidate filter: trained on train, measured on dev.

python benchmarks/candidates.py MEDDOCAN_FOLDER
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from nadie.files.annotated.reading import read_documents
from nadie.papers.tccnn.candidates import Generator, recall, touch
from nadie.papers.tccnn.learning_candidates import FilterPlan, learn_generator
from nadie.papers.tccnn.note import TaggedWords, gold_places, read_notes
from nadie.tokens.view import seen


def main(folder: Path) -> None:
    parts = {}
    for name in ("train", "dev"):
        documents = [seen(document) for document in read_documents(folder / name / "brat")]
        notes = read_notes([document.text for document in documents])
        parts[name] = (notes, [gold_places(n, d) for n, d in zip(notes, documents, strict=True)])
    notes, gold = parts["dev"]
    for name, generator in _steps(*parts["train"]):
        kept, noise = recall(generator, notes, gold)
        count = sum(len(generator.places(note)) for note in notes) / len(notes)
        print(f"{name}: recall {100 * kept:.2f}, no entities {100 * noise:.1f} %, {count:.0f} candidates a note")


def _steps(notes: list[TaggedWords], gold: list[dict[tuple[int, int], str]]) -> Iterator[tuple[str, Generator]]:
    none: frozenset[str] = frozenset()
    any_touch = frozenset(touch(word) for note in notes for word in note.words)
    literal = learn_generator(notes, gold, FilterPlan(outside=1, hopeless=0))
    free = replace(literal, before=any_touch, after=any_touch)
    yield "the paper's rules", replace(free, first=none, last=none, inside=none)
    yield "+ words seen there in spite of their tag", free
    lenient = learn_generator(notes, gold, FilterPlan(hopeless=0))
    yield "+ stop words seen at least 5 times", replace(lenient, before=any_touch, after=any_touch)
    yield "+ no seam in a run of signs", lenient
    yield "+ hopeless pairs (as shipped)", learn_generator(notes, gold, FilterPlan())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
