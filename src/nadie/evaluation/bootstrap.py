"""Percentile confidence intervals by resampling documents.

Documents, not spans, are drawn: the spans of one document are not independent of each other.
Efron and Tibshirani, "An Introduction to the Bootstrap", 1993, chapter 13.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from nadie.evaluation.measures import Array, Measures, quotients

RESAMPLES = 1000
LEVEL = 0.95
_CELLS = 4_000_000  # the weights that are in memory at a time


class Interval(NamedTuple):
    """The scores between which the middle `LEVEL` of the resamples lie."""

    low: float
    high: float


def intervals(measures: Measures, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, Interval | None]:
    """An interval for each score; None where no resample has anything to divide by."""
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
