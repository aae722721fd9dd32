"""Two systems on one reviewed sample: the difference of their shares of leaks, and whether it may be chance.

If the systems were alike, it would not matter which of them gave which result for a unit. So the two results of each
unit are exchanged at random, many times; the p-value is how often the difference is as large as it is (Noreen 1989).
The interval is that of a bootstrap over units. Both use the weights of the sample.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from nadie.risk.review.figures import Count, Figures, in_units

_SHUFFLES = 9_999
_RESAMPLES = 2_000
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
    times = rng.multinomial(len(one), np.full(len(one), 1 / len(one)), _RESAMPLES).astype(np.float64)
    drawn = [times @ tops[n] / np.maximum(times @ bottoms[n], _ROUNDING) for n in (0, 1)]
    low, high = np.percentile(drawn[1] - drawn[0], [2.5, 97.5])
    p = (1 + int(as_large.sum())) / (_SHUFFLES + 1)
    return Difference(float(shares[0]), float(shares[1]), float(low), float(high), p)


def differences(first: Figures, second: Figures) -> dict[str, Difference]:
    """The differences in the shares that matter most: leaking notes, leaking identifiers, false alarms."""
    return {
        "notes_direct": compare(first, second, lambda each: (each.is_leaking, 1)),
        "identifiers": compare(first, second, lambda each: (len(each.leaking), len(each.note.gold.spans))),
        "false_alarms": compare(first, second, lambda each: (len(each.false), len(each.note.system))),
    }
