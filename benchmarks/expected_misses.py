"""Measures the table from which `nadie risk` estimates how many identifiers were missed.

    python benchmarks/expected_misses.py NOTES [NOTES ...] [--model fast] > src/nadie/risk/data/misses.json

Notes are anonymized by the model, once alone (policy `default`) and once with the second detector (`research`). Then
the model is run on the outputs, in its balanced mode and in recall mode. What only recall mode finds is counted by
class of label and by score, with how much of it is really a missed identifier; so is what not even recall mode finds.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from nadie import load
from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.options import Mode
from nadie.risk.leaks import leaks
from nadie.risk.misses import bin_of, only_in_recall_mode

KEPT = (Label.SEXO_SUJETO_ASISTENCIA, Label.PAIS, Label.FAMILIARES_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA)


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, nargs="+")
    parser.add_argument("--model", default="fast")
    options = parser.parse_args()
    notes = [note for folder in options.notes for note in read_documents(folder, "notes")]
    tables = {
        name: measured(notes, options.model, policy) for name, policy in (("one", "default"), ("two", "research"))
    }
    print(json.dumps({"model": options.model, "notes": len(notes), **tables}, indent=1))


if __name__ == "__main__":
    main()
