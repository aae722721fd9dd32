"""Two systems on one reviewed sample: the difference of their shares of leaks, and whether it may be chance.

If the systems were alike, it would not matter which of them gave which result for a unit. So the two results of each
unit are exchanged at random, many times; the p-value is how often the difference is as large as it is (Noreen 1989).
The interval is put together from those of what only the one and only the other system leaks (Zou and Donner 2008), so
that two systems without a leak are not said to be equal: a bootstrap over units would say so. Both use the weights of
the sample.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from nadie.risk.bounds import Floats, weighted
from nadie.risk.review.figures import Count, Figures, in_units
from nadie.risk.sample import Sample

_SHUFFLES = 9_999
_ROUNDING = 1e-12


class Difference(NamedTuple):
    """The shares of the first and the second system, second minus first with its interval, and the p-value."""

    first: float
    second: float
    low: float
    high: float
    p: float

    @property
    def difference(self) -> float:
        return self.second - self.first


def compare(first: Figures, second: Figures, count: Count, seed: int = 0) -> Difference:
    """Compare the share that `count` gives, over the same reviewed notes."""
    one, other = (np.array(in_units(figures.outcomes, count)) for figures in (first, second))
    if not len(one) or not (one[:, 2] @ one[:, 1]):
        return Difference(0.0, 0.0, -1.0, 1.0, 1.0)
    weights, rng = one[:, 2], np.random.default_rng(seed)
    tops, bottoms = np.stack([one[:, 0], other[:, 0]]) * weights, np.stack([one[:, 1], other[:, 1]]) * weights
    shares = tops.sum(1) / np.maximum(bottoms.sum(1), _ROUNDING)
    swapped = rng.integers(0, 2, (_SHUFFLES, len(one))).astype(np.float64)
    moved_top, moved_bottom = swapped @ (tops[1] - tops[0]), swapped @ (bottoms[1] - bottoms[0])
    mixed = [
        (tops[place].sum() + sign * moved_top) / np.maximum(bottoms[place].sum() + sign * moved_bottom, _ROUNDING)
        for place, sign in ((0, 1.0), (1, -1.0))
    ]
    as_large = np.abs(mixed[1] - mixed[0]) >= abs(shares[1] - shares[0]) - _ROUNDING
    low, high = _interval(one, other, first.sample)
    p = (1 + int(as_large.sum())) / (_SHUFFLES + 1)
    return Difference(float(shares[0]), float(shares[1]), low, high, p)


def _interval(one: Floats, other: Floats, sample: Sample) -> tuple[float, float]:
    """The interval from those of what only one of the systems leaks, where both count the same things."""
    more, less = other[:, 0], one[:, 0]
    if np.array_equal(one[:, 1], other[:, 1]):
        more, less = np.maximum(more - less, 0), np.maximum(less - more, 0)
    gained, lost = (
        weighted(found, units[:, 1], units[:, 2], sample.rule.level, sample.heaviest)
        for found, units in ((more, other), (less, one))
    )
    together = min(0.0, float(np.corrcoef(more, less)[0, 1])) if np.ptp(more) and np.ptp(less) else 0.0

    def distance(x: float, y: float) -> float:
        return sqrt(x * x + y * y - 2 * together * x * y)

    difference = gained.estimate - lost.estimate
    return (
        difference - distance(gained.estimate - gained.low, lost.high - lost.estimate),
        difference + distance(gained.high - gained.estimate, lost.estimate - lost.low),
    )


def differences(first: Figures, second: Figures) -> dict[str, Difference]:
    """The differences in the shares that matter most: leaking notes, leaking identifiers, false alarms."""
    return {
        "notes_direct": compare(first, second, lambda each: (each.is_leaking, 1)),
        "identifiers": compare(first, second, lambda each: (len(each.leaking), len(each.note.gold.spans))),
        "false_alarms": compare(first, second, lambda each: (len(each.false), len(each.note.system))),
    }
