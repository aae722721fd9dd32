"""Measures the table from which `nadie risk` estimates how many identifiers were missed.

    python benchmarks/expected_misses.py NOTES NOTES [--model fast] > src/nadie/risk/data/misses.json
    python benchmarks/expected_misses.py NOTES NOTES --validate OTHERS

Notes are anonymized by the model, once alone (policy `default`) and once with the second look (`research`). Then the
model is run on the outputs, in its balanced mode and in recall mode. A Poisson regression predicts the number of missed
identifiers of a class in a note (see `nadie.risk.misses`). Its spread is the smallest with which the bounds contain
what was missed for 95 of 100 labels, in halves of each folder of which the other halves were fitted, and for all labels
together in each of the halves.

With `--validate`, the table of both folders predicts a third one, and the table of each half of both folders the other
halves; the table of each folder predicts the other one. What was really missed stands beside it.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nadie import load
from nadie.anonymize.engine import Anonymized
from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.labels import Label
from nadie.options import Mode
from nadie.resolve.outside import is_completed
from nadie.risk.leaks import leaks
from nadie.risk.misses import KEPT, Certainty, Misses, only_in_recall_mode, predictors

POLICIES = {"one": "default", "two": "research"}
PENALTY = 1.0
USUAL = -2.0  # towards which the intercept of a class with few misses is drawn
CERTAIN = 0.9
SPREADS = [step / 20 for step in range(1, 41)]
INSIDE = 0.95
Vector = npt.NDArray[np.float64]


class Seen(NamedTuple):
    """What `nadie risk` is given of a note, and the labels of what was missed in it."""

    found: tuple[Span, ...]
    possible: tuple[Span, ...]
    certainty: Certainty
    missed: Counter[Label]


def seen(notes: Sequence[Document], model: str, policy: str) -> list[Seen]:
    done = list(load(model, policy=policy).anonymize_all([note.with_spans(()) for note in notes]))
    outputs = [Document(str(number), each.text) for number, each in enumerate(done)]
    found, possible = load(model).annotate_all(outputs), load(model, mode=Mode.RECALL).annotate_all(outputs)
    rows = []
    for note, each, balanced, recall in zip(notes, done, found, possible, strict=True):
        left = leaks(each, [span for span in note.spans if span.label not in KEPT])
        missed = Counter(Label(leak.label) for leak in left)
        rows.append(Seen(balanced.spans, recall.spans, certainty_of(each), missed))
    return rows


def certainty_of(done: Anonymized) -> Certainty:
    scores = [item.span.score for item in done.replaced if not is_completed(item.span)]
    return Certainty(sum(score < CERTAIN for score in scores), len(scores))


def fitted(rows: Sequence[Seen], spread: float = 0.0) -> dict[str, Any]:
    """The table of a Poisson regression with a penalty, by Newton's method."""
    names = sorted({label.parent.value for row in rows for label in row.missed})
    inputs, counts = [], []
    for row in rows:
        possible = Counter(Label(s.label).parent.value for s in only_in_recall_mode(row.found, row.possible))
        missed = Counter(dict.fromkeys(names, 0))
        for label, count in row.missed.items():
            missed[label.parent.value] += count
        for name in names:
            is_class = [float(name == other) for other in names]
            inputs.append([*is_class, *predictors(possible[name], row.certainty)])
            counts.append(missed[name])
    weights = _regression(np.array(inputs), np.array(counts, dtype=float), len(names))
    total = sum((row.missed for row in rows), Counter[Label]())
    classes = {
        name: {"intercept": round(float(weight), 4), "labels": _shares(name, total)}
        for name, weight in zip(names, weights, strict=False)
    }
    return {"classes": classes, "weights": [round(float(w), 4) for w in weights[len(names) :]], "spread": spread}


def _regression(inputs: Vector, counts: Vector, classes: int) -> Vector:
    others = inputs.shape[1] - classes
    usual = np.array([USUAL] * classes + [0.0] * others)
    penalty = PENALTY * np.array([0.05] * classes + [1.0] * others)
    weights = usual.copy()
    for _ in range(60):
        expected = np.exp(np.clip(inputs @ weights, -12, 5))
        slope = inputs.T @ (expected - counts) + penalty * (weights - usual)
        curve = (inputs * expected[:, None]).T @ inputs + np.diag(penalty)
        weights = weights - np.clip(np.linalg.solve(curve, slope), -1, 1)
    return weights


def _shares(name: str, total: Counter[Label]) -> dict[str, float]:
    """The shares of the labels of a class among the misses, none of them zero."""
    labels = [label for label in Label if label.parent.value == name and label not in KEPT]
    sums = {str(label): total[label] + 0.5 for label in labels}
    return {label: round(count / sum(sums.values()), 4) for label, count in sums.items()}


def predicted(table: dict[str, Any], rows: Iterable[Seen]) -> tuple[Misses, Counter[Label]]:
    misses, missed = Misses(second=True, table=table), Counter[Label]()
    for row in rows:
        misses.add(row.found, row.possible, row.certainty)
        missed.update(row.missed)
    return misses, missed


def halves(folders: Sequence[Sequence[Seen]], number: int) -> list[tuple[dict[str, Any], Sequence[Seen]]]:
    """The table of one half of all folders, with the other half of one; and the other way round."""
    return [
        (fitted([row for rows in folders for row in rows[half::2]]), folders[number][1 - half :: 2]) for half in (0, 1)
    ]


def spread_of(folders: Sequence[Sequence[Seen]]) -> float:
    tests = [test for number in range(len(folders)) for test in halves(folders, number)]
    for spread in SPREADS:
        results = [predicted({**table, "spread": spread}, rows) for table, rows in tests]
        are_totals_inside = all(m.total().low <= missed.total() <= m.total().high for m, missed in results)
        if are_totals_inside and np.mean([ok for result in results for ok in _inside(*result)]) >= INSIDE:
            return spread
    return SPREADS[-1]


def _inside(misses: Misses, missed: Counter[Label]) -> list[bool]:
    """Whether the bounds of each label with something expected or missed contain what was missed."""
    return [
        each.low <= missed[label] <= each.high
        for label, each in misses.estimates().items()
        if each.expected >= 0.05 or missed[label]
    ]


def show(title: str, misses: Misses, missed: Counter[Label]) -> None:
    print(f"\n{title}")
    for label, each in misses.estimates().items():
        if each.expected >= 0.05 or missed[label]:
            outside = "" if each.low <= missed[label] <= each.high else "  outside"
            print(
                f"  {label:34} {each.expected:6.1f} ({each.low:.1f} to {each.high:.1f}) missed {missed[label]}{outside}"
            )
    inside, all_of_them = _inside(misses, missed), misses.total()
    print(
        f"  all: {all_of_them.expected:.0f} ({all_of_them.low:.0f} to {all_of_them.high:.0f}) predicted, "
        f"{missed.total()} missed; {sum(inside)} of {len(inside)} labels inside their bounds"
    )


def validate(folders: Sequence[Sequence[Document]], others: Sequence[Document], model: str) -> None:
    for name, policy in POLICIES.items():
        rows = [seen(notes, model, policy) for notes in folders]
        spread = spread_of(rows)
        print(f"\n== {name} look(s), spread {spread}")
        both = fitted([row for each in rows for row in each], spread)
        show("other notes, by the table of both folders", *predicted(both, seen(others, model, policy)))
        for number in range(len(rows)):
            for half, (table, part) in enumerate(halves(rows, number)):
                show(
                    f"folder {number + 1}, half {half + 1}, by the other halves",
                    *predicted({**table, "spread": spread}, part),
                )
            show(f"folder {number + 1}, by the other one", *predicted(fitted(rows[1 - number], spread), rows[number]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, nargs=2)
    parser.add_argument("--model", default="fast")
    parser.add_argument("--validate", type=Path, help="predict these notes, and each half and folder from the other")
    options = parser.parse_args()
    folders = [list(read_documents(folder, "notes")) for folder in options.notes]
    if options.validate:
        validate(folders, list(read_documents(options.validate, "notes")), options.model)
        return
    tables = {}
    for name, policy in POLICIES.items():
        rows = [seen(notes, options.model, policy) for notes in folders]
        tables[name] = fitted([row for each in rows for row in each], spread_of(rows))
    print(json.dumps({"model": options.model, "notes": sum(map(len, folders)), **tables}, indent=1))


if __name__ == "__main__":
    main()
