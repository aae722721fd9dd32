"""What reading a note from a page by Tesseract costs: coverage and precision on its clean text and on the text read.

    python scripts/scan_notes.py data/notes/dev READ.jsonl --share 0.12 --seed 3
    python benchmarks/tesseract_loss.py data/notes/dev READ.jsonl [--models fast,best]

The notes that Tesseract read well enough to carry their spans over are compared with themselves. Spans of which more
than half is unreadable are not counted, so the figure is the loss as far as the letters are there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from nadie.document import Document
from nadie.evaluation.evaluate import compare, evaluate
from nadie.files.annotated.reading import read_documents
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline

_SUFFIX = "-scan"


def measured(model: Pipeline, clean: Sequence[Document], read: Sequence[Document]) -> list[str]:
    """A line for each score: on the clean text, on the text read, and the difference with its interval."""
    results = [evaluate(gold, list(model.annotate_all(each.with_spans(()) for each in gold))) for gold in (clean, read)]
    lines = []
    for name, found in compare(results[0], results[1]).items():
        if found.one is None or found.other is None or found.difference is None or found.interval is None:
            continue
        low, high = (100 * end for end in (found.interval.low, found.interval.high))
        change = f"{100 * found.difference:+.1f} [{low:+.1f}; {high:+.1f}]"
        lines.append(f"{name}: {100 * found.one:.1f} clean, {100 * found.other:.1f} read, {change}")
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("read", type=Path)
    parser.add_argument("--models", default="fast,best")
    given = parser.parse_args()
    originals = {document.id: document for document in read_documents(given.notes)}
    scans = [Document(d.id.removesuffix(_SUFFIX), d.text, d.spans, d.meta) for d in read_documents(given.read)]
    clean = [originals[scan.id] for scan in scans]
    print(f"{len(scans)} notes")
    for name in given.models.split(","):
        print(name)
        for line in measured(load(name), clean, scans):
            print(f"  {line}")


if __name__ == "__main__":
    main()
