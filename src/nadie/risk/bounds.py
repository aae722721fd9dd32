"""Bounds of a share that was measured on a sample, and the number of notes that a statement needs.

Where every note had the same chance of being drawn, the bounds are exact (Clopper and Pearson 1934). Where the chances
differ, or a note counts more than once, as in a share of identifiers, they are those of Fay and Feuer (1997) for a
weighted sum of Poisson counts: the upper bound includes one more leak of the largest weight, so that it holds when none
was found. Identifiers leak together, in the worst case all of a note, so that one more leak is a whole note of the mean
size (weighted by size, as large notes leak more often). That both hold for rates from 0.1 to 10 % is shown by
simulation in `benchmarks/bounds.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

LEVEL = 0.95
_STEPS = 200
_SERIES = 10_000
_TINY = 1e-300
_MOST_NOTES = 1 << 30

Floats = npt.NDArray[np.float64]


class Share(NamedTuple):
    """An estimated share, its interval, and the bound of the statement "at most this share", each at the same level."""

    estimate: float
    low: float
    high: float
    at_most: float


def exact(found: int, size: int, level: float = LEVEL) -> Share:
    """The share `found` of `size` with the bounds of Clopper and Pearson; with none found, "the rule of three"."""
    if not size:
        return Share(0.0, 0.0, 1.0, 1.0)
    tail = (1 - level) / 2
    low = _solved(lambda share: 1 - at_most_found(found - 1, size, share) >= tail, 0.0, 1.0) if found else 0.0
    return Share(found / size, low, _upper(found, size, tail), _upper(found, size, 1 - level))


def notes_needed(share: float, found: int = 0, level: float = LEVEL) -> int:
    """The number of notes that state "at most this share" if `found` of them have a leak."""
    if not 0 < share < 1:
        raise ValueError("a share is between 0 and 1")
    low, high = found, found + 1
    while at_most_found(found, high, share) > 1 - level:
        low, high = high, 2 * high
        if high > _MOST_NOTES:
            raise ValueError("the share is too small to be stated by a sample")
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if at_most_found(found, middle, share) <= 1 - level else (middle, high)
    return high


def weighted(
    found: npt.ArrayLike,
    counted: npt.ArrayLike,
    weights: npt.ArrayLike,
    level: float = LEVEL,
    heaviest: float = 0.0,
) -> Share:
    """The share of `found` among `counted`, summed over sampled units with these weights.

    A unit is what was drawn: a note or a patient. Its weight is the inverse of its chance of being drawn. `heaviest` is
    the largest weight that a unit can have, if it may be that none with that weight was drawn.
    """
    events, sizes, each = (np.asarray(values, dtype=np.float64) for values in (found, counted, weights))
    total = float(each @ sizes)
    if total <= 0:
        return Share(0.0, 0.0, 1.0, 1.0)
    heaviest = max(heaviest, float(each.max()))
    if heaviest - each.min() <= 1e-9 * heaviest and np.all(sizes == 1) and np.all((events == 0) | (events == 1)):
        return exact(int(events.sum()), len(events), level)
    parts = each * events / total
    estimate, variance = float(parts.sum()), float(parts @ parts)
    whole = float(each @ sizes**2) / total
    largest = heaviest * max(whole, float(events.max())) / total
    tail = (1 - level) / 2
    low = _gamma_quantile(estimate, variance, tail) if estimate else 0.0
    more, scatter = estimate + largest, variance + largest**2
    high, one_sided = (min(1.0, _gamma_quantile(more, scatter, 1 - chance)) for chance in (tail, 1 - level))
    return Share(estimate, min(low, estimate), high, one_sided)


def at_most_found(found: int, size: int, share: float) -> float:
    """The chance of `found` or fewer in a sample of `size`."""
    if found < 0:
        return 0.0
    if found >= size or share <= 0:
        return 1.0
    if share >= 1:
        return 0.0
    counts = np.arange(found + 1)
    logs = np.array([math.lgamma(size + 1) - math.lgamma(k + 1) - math.lgamma(size - k + 1) for k in counts.tolist()])
    logs += counts * math.log(share) + (size - counts) * math.log1p(-share)
    return min(1.0, float(np.exp(logs).sum()))


def _upper(found: int, size: int, chance: float) -> float:
    """The largest share with which `found` or fewer still have that chance."""
    if found >= size:
        return 1.0
    return _solved(lambda share: at_most_found(found, size, share) <= chance, 0.0, 1.0)


def _gamma_quantile(mean: float, variance: float, chance: float) -> float:
    """The quantile of the gamma distribution with that mean and variance."""
    shape, scale = mean * mean / variance, variance / mean
    high = shape + 1.0
    while _gamma_cdf(shape, high) < chance:
        high *= 2
    return scale * _solved(lambda x: _gamma_cdf(shape, x) >= chance, 0.0, high)


def _gamma_cdf(shape: float, x: float) -> float:
    """The regularised lower incomplete gamma function: by its series, or far out by its continued fraction."""
    if x <= 0:
        return 0.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        for n in range(1, _SERIES):
            term *= x / (shape + n)
            total += term
            if term < total * 1e-15:
                break
        return min(1.0, front * total)
    b, c = x + 1 - shape, 1 / _TINY
    d = h = 1 / b
    for n in range(1, _SERIES):
        step = -n * (n - shape)
        b += 2
        d = 1 / (step * d + b or _TINY)
        c = b + step / c or _TINY
        h *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return max(0.0, 1.0 - front * h)


def _solved(is_reached: Callable[[float], bool], low: float, high: float) -> float:
    """The smallest number in a range for which a monotone condition holds, by bisection."""
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if middle in (low, high):
            break
        low, high = (low, middle) if is_reached(middle) else (middle, high)
    return high
