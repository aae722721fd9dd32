"""Whether two systems differ by more than chance: the paired approximate-randomisation test.

If the systems were alike, it would not matter which of them produced which document's output. So each document's two
outputs are exchanged or not by the toss of a coin, many times, and the p-value is how often chance alone makes a
difference as large as the one observed. Noreen, "Computer-Intensive Methods for Testing Hypotheses", 1989; Yeh,
"More accurate tests for the statistical significance of result differences", COLING 2000.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from nadie.evaluation.measures import Array, Measures, quotients

SHUFFLES = 9_999
_CELLS = 4_000_000
_ROUNDING = 1e-12


def p_values(one: Measures, other: Measures, *, seed: int = 0, shuffles: int = SHUFFLES) -> dict[str, float]:
    """The two-sided p-value of the difference in each score, never 0: the observed arrangement counts as one more."""
    top, bottom = one.numerators.sum(0), one.denominators.sum(0)
    other_top, other_bottom = other.numerators.sum(0), other.denominators.sum(0)

    def distance(moved_top: Array | float, moved_bottom: Array | float) -> Array:
        """How far apart the scores are after documents changed sides; the score of nothing counts as 0."""
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
    """For each shuffle and document 1 or 0: exchanged or not, in blocks of bounded size."""
    generator = np.random.default_rng(seed)
    block = max(1, _CELLS // documents)
    for first in range(0, shuffles, block):
        size = min(block, shuffles - first)
        yield generator.integers(0, 2, size=(size, documents)).astype(np.float64)
