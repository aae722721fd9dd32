"""Every score as a ratio of two sums over documents.

Seen so, a resample of documents, or an exchange of documents between two systems, costs one matrix product for all
scores together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from nadie.evaluation.official import Counts
from nadie.evaluation.scores import DocumentScores

Array = NDArray[np.float64]
Ratio = Callable[[DocumentScores], tuple[float, float]]

_PARTS: Mapping[str, Callable[[Counts], tuple[float, float]]] = {
    "precision": lambda c: (c.tp, c.tp + c.fp),
    "recall": lambda c: (c.tp, c.tp + c.fn),
    "f1": lambda c: (2 * c.tp, 2 * c.tp + c.fp + c.fn),
}


def _ratio(task: Callable[[DocumentScores], Counts], part: str) -> Ratio:
    return lambda document: _PARTS[part](task(document))


OVERALL: Mapping[str, Ratio] = {
    **{f"subtask1.{part}": _ratio(lambda d: d.subtask1, part) for part in _PARTS},
    **{f"strict.{part}": _ratio(lambda d: d.strict, part) for part in _PARTS},
    **{f"merged.{part}": _ratio(lambda d: d.merged, part) for part in _PARTS},
    "subtask1.leak": lambda d: (d.subtask1.fn, d.sentences),
    "characters.recall": lambda d: (d.characters.both, d.characters.gold),
    "characters.precision": lambda d: (d.characters.both, d.characters.system),
    "characters.leaked_share": lambda d: (d.characters.leaked, d.characters.gold),
    "documents.safe_share": lambda d: (d.leaked == 0, 1),
}


class Measures:
    """The numerators and denominators of named scores, a row for each document, a column for each score."""

    def __init__(self, documents: Sequence[DocumentScores], ratios: Mapping[str, Ratio]) -> None:
        self.names = tuple(ratios)
        table = np.array([[ratio(d) for ratio in ratios.values()] for d in documents], dtype=np.float64)
        table = table.reshape(len(documents), len(self.names), 2)
        self.numerators: Array = table[:, :, 0]  # (documents, scores)
        self.denominators: Array = table[:, :, 1]  # (documents, scores)

    def __len__(self) -> int:
        return len(self.numerators)


def overall(documents: Sequence[DocumentScores]) -> Measures:
    return Measures(documents, OVERALL)


def by_label(documents: Sequence[DocumentScores], labels: Sequence[str]) -> Measures:
    """The F1 of each type, and how much of its text is covered."""
    ratios: dict[str, Ratio] = {}
    for label in labels:
        ratios[f"{label}.f1"] = _ratio(_counts_of(label), "f1")
        ratios[f"{label}.characters.recall"] = _recall_of(label)
    return Measures(documents, ratios)


def quotients(numerators: Array, denominators: Array) -> Array:
    """Their quotients; not a number where there is nothing to divide by."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators > 0, numerators / denominators, np.nan)


def _counts_of(label: str) -> Callable[[DocumentScores], Counts]:
    return lambda document: document.labels.get(label, Counts())


def _recall_of(label: str) -> Ratio:
    def ratio(document: DocumentScores) -> tuple[float, float]:
        counts = document.characters_by_label.get(label)
        return (counts.both, counts.gold) if counts else (0, 0)

    return ratio
