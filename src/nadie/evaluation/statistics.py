"""Confidence intervals, and a test whether two systems differ by more than chance.

Every score is a ratio of two sums over documents, so a resample of documents, or an exchange of documents between two
systems, is one matrix product for all scores together. Documents are drawn and exchanged, not spans: the spans of one
document are not independent.

- Intervals: percentile bootstrap. Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
- Test: paired approximate randomisation. If the systems were equivalent, it would not matter which of them produced
  which output for a document. So the two outputs of each document are exchanged at random, many times, and the p-value
  is the frequency of differences as large as the observed one. Noreen, "Computer-Intensive Methods for Testing
  Hypotheses", 1989; Yeh, "More accurate tests for the statistical significance of result differences", COLING 2000.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nadie.evaluation.official import Counts
from nadie.evaluation.scores import DocumentScores

RESAMPLES = 1000
LEVEL = 0.95
SHUFFLES = 9_999
_ROUNDING = 1e-12
_CELLS = 4_000_000  # the number of weights in memory at a time

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
    """The numerators and denominators of named scores: one row per document, one column per score."""

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
    """The F1 of each label, and the covered share of its text."""
    ratios: dict[str, Ratio] = {}
    for label in labels:
        ratios[f"{label}.f1"] = _ratio(_counts_of(label), "f1")
        ratios[f"{label}.characters.recall"] = _recall_of(label)
    return Measures(documents, ratios)


def quotients(numerators: Array, denominators: Array) -> Array:
    """The quotients; NaN if the denominator is zero."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators > 0, numerators / denominators, np.nan)


def _counts_of(label: str) -> Callable[[DocumentScores], Counts]:
    return lambda document: document.labels.get(label, Counts())


def _recall_of(label: str) -> Ratio:
    def ratio(document: DocumentScores) -> tuple[float, float]:
        counts = document.characters_by_label.get(label)
        return (counts.both, counts.gold) if counts else (0, 0)

    return ratio


class Interval(NamedTuple):
    """The bounds of the middle `LEVEL` of the resampled scores."""

    low: float
    high: float


def intervals(measures: Measures, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Interval | None]:
    """An interval for each score; None if the denominator is zero in every resample."""
    drawn = np.concatenate(
        [
            quotients(weights @ measures.numerators, weights @ measures.denominators)
            for weights in _weights(len(measures), seed, resamples)
        ]
    )  # (resamples, scores)
    return {name: _interval(drawn[:, column]) for column, name in enumerate(measures.names)}


def difference_intervals(
    one: Measures, other: Measures, *, seed: int = 0, resamples: int = RESAMPLES
) -> dict[str, Interval | None]:
    """An interval for `other` minus `one`, both on the same resamples of the same documents."""
    drawn = np.concatenate(
        [
            quotients(weights @ other.numerators, weights @ other.denominators)
            - quotients(weights @ one.numerators, weights @ one.denominators)
            for weights in _weights(len(one), seed, resamples)
        ]
    )
    return {name: _interval(drawn[:, column]) for column, name in enumerate(one.names)}


def _weights(documents: int, seed: int, resamples: int) -> Iterator[Array]:
    """How often each document is drawn, in blocks (resamples, documents) of bounded size."""
    generator = np.random.default_rng(seed)
    chances = np.full(documents, 1 / documents)
    block = max(1, _CELLS // documents)
    for first in range(0, resamples, block):
        size = min(block, resamples - first)
        yield generator.multinomial(documents, chances, size=size).astype(np.float64)


def _interval(scores: Array) -> Interval | None:
    known = scores[~np.isnan(scores)]
    if not known.size:
        return None
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(known, [tail, 100 - tail])
    return Interval(float(low), float(high))


def p_values(one: Measures, other: Measures, *, seed: int = 0, shuffles: int = SHUFFLES) -> dict[str, float]:
    """The two-sided p-value of the difference in each score, never 0: the observed arrangement is counted too."""
    top, bottom = one.numerators.sum(0), one.denominators.sum(0)
    other_top, other_bottom = other.numerators.sum(0), other.denominators.sum(0)

    def distance(moved_top: Array | float, moved_bottom: Array | float) -> Array:
        """The difference of the scores after exchanging documents; a score without a denominator counts as 0."""
        first = quotients(top + moved_top, bottom + moved_bottom)
        second = quotients(other_top - moved_top, other_bottom - moved_bottom)
        return np.abs(np.nan_to_num(first) - np.nan_to_num(second))

    observed = distance(0.0, 0.0)
    as_large = np.ones(len(one.names))
    for exchanged in _coins(len(one), seed, shuffles):
        moved_top = exchanged @ (other.numerators - one.numerators)
        moved_bottom = exchanged @ (other.denominators - one.denominators)
        as_large += (distance(moved_top, moved_bottom) >= observed - _ROUNDING).sum(0)
    return dict(zip(one.names, (as_large / (shuffles + 1)).tolist(), strict=True))


def _coins(documents: int, seed: int, shuffles: int) -> Iterator[Array]:
    """For each shuffle and document 1 (exchanged) or 0, in blocks of bounded size."""
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // documents)
    for first in range(0, shuffles, block):
        size = min(block, shuffles - first)
        yield generator.integers(0, 2, size=(size, documents)).astype(np.float64)
