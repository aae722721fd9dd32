"""Measures the table from which `nadie risk` estimates how many identifiers were missed.

    python benchmarks/expected_misses.py NOTES [NOTES ...] [--model fast] > src/nadie/risk/data/misses.json
    python benchmarks/expected_misses.py NOTES NOTES --validate

With `--validate`, the table of one folder predicts the misses of another one, by label, beside those that were made.

Notes are anonymized by the model, once alone (policy `default`) and once with the second detector (`research`). Then
the model is run on the outputs, in its balanced mode and in recall mode. What only recall mode finds is counted by
class of label and by score, with how much of it is really a missed identifier; so is what not even recall mode finds.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nadie import load
from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.options import Mode
from nadie.risk.leaks import leaks
from nadie.risk.misses import KEPT, Estimate, Misses, bin_of, only_in_recall_mode


def measured(notes: Sequence[Document], model: str, policy: str) -> dict[str, Any]:
    done = list(load(model, policy=policy).anonymize_all([note.with_spans(()) for note in notes]))
    outputs = [Document(str(number), each.text) for number, each in enumerate(done)]
    found = load(model).annotate_all(outputs)
    possible = load(model, mode=Mode.RECALL).annotate_all(outputs)
    table: dict[str, Any] = defaultdict(lambda: {"bins": [[0, 0] for _ in range(3)], "seen": 0, "unseen": 0})
    for note, each, balanced, recall in zip(notes, done, found, possible, strict=True):
        left = leaks(each, [span for span in note.spans if span.label not in KEPT])
        readable = frozenset().union(*(leak.places for leak in left))
        more = only_in_recall_mode(balanced.spans, recall.spans)
        for span in more:
            counts = table[Label(span.label).parent]["bins"][bin_of(span.score)]
            counts[0] += not readable.isdisjoint(range(span.start, span.end))
            counts[1] += 1
        suspected = {at for span in more for at in range(span.start, span.end)}
        for leak in left:
            is_seen = not leak.places.isdisjoint(suspected)
            table[Label(leak.label).parent]["seen" if is_seen else "unseen"] += 1
    return dict(sorted(table.items()))


def validate(folders: Sequence[Sequence[Document]], model: str) -> None:
    """Print what the table of each folder predicts for the others, and what was really missed there."""
    for policy, name in (("default", "one"), ("research", "two")):
        tables = [measured(notes, model, policy) for notes in folders]
        for place, notes in enumerate(folders):
            learned = tables[1 - place]
            predicted, actual = predictions(notes, model, policy, learned)
            print(f"\n{name} detector(s), folder {place + 1}, predicted with the table of folder {2 - place}")
            for label, each in predicted.items():
                if each.expected >= 0.05 or actual[label]:
                    inside = "" if each.low <= actual[label] <= each.high else "  outside"
                    bounds = f"{each.expected:6.1f} ({each.low:.1f} to {each.high:.1f})"
                    print(f"  {label:34} {bounds:28} missed {actual[label]}{inside}")
            print(f"  all: {sum(each.expected for each in predicted.values()):.1f} predicted, {actual.total()} missed")


def predictions(
    notes: Sequence[Document], model: str, policy: str, learned: dict[str, Any]
) -> tuple[dict[Label, Estimate], Counter[str]]:
    done = list(load(model, policy=policy).anonymize_all([note.with_spans(()) for note in notes]))
    outputs = [Document(str(number), each.text) for number, each in enumerate(done)]
    possible = load(model, mode=Mode.RECALL).annotate_all(outputs)
    misses, actual = Misses(second=policy == "research", table=learned), Counter[str]()
    for note, each, found, recall in zip(notes, done, load(model).annotate_all(outputs), possible, strict=True):
        misses.add(found.spans, recall.spans)
        actual.update(leak.label for leak in leaks(each, [span for span in note.spans if span.label not in KEPT]))
    return misses.estimates(), actual


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, nargs="+")
    parser.add_argument("--model", default="fast")
    parser.add_argument("--validate", action="store_true", help="predict each of two folders from the other")
    options = parser.parse_args()
    if options.validate:
        validate([list(read_documents(folder, "notes")) for folder in options.notes[:2]], options.model)
        return
    notes = [note for folder in options.notes for note in read_documents(folder, "notes")]
    tables = {
        name: measured(notes, options.model, policy) for name, policy in (("one", "default"), ("two", "research"))
    }
    print(json.dumps({"model": options.model, "notes": len(notes), **tables}, indent=1))


if __name__ == "__main__":
    main()
