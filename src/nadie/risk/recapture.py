"""How many leaks nobody found: capture and recapture (Chapman 1951) with two readers and the model as a third finder.

Two finders who work independently find the same leaks only by chance; from how many both found, the number that neither
found follows. Finders are never quite independent: what is easy for one is easy for the other. The estimate is
therefore a lower bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from itertools import combinations
from math import sqrt
from typing import NamedTuple

_Z = 1.96


class Recapture(NamedTuple):
    """The estimated number of leaks in all, its upper bound, and the number that no finder found."""

    total: float
    high: float
    unseen: float


def chapman(first: int, second: int, both: int) -> Recapture:
    """The estimate from the numbers that each of two finders found, and that both found."""
    if not 0 <= both <= min(first, second):
        raise ValueError("both cannot have found more than each")
    total = (first + 1) * (second + 1) / (both + 1) - 1
    variance = (first + 1) * (second + 1) * (first - both) * (second - both) / ((both + 1) ** 2 * (both + 2))
    return Recapture(total, total + _Z * sqrt(variance), total - (first + second - both))


def of_finders(found: Mapping[str, Set[object]]) -> Recapture | None:
    """The largest estimate of any two finders, given what each of them found; None for fewer than two.

    What is known is everything that any finder found, and `unseen` is counted beyond that.
    """
    known = len(set().union(*found.values())) if found else 0
    pairs = [chapman(len(a), len(b), len(a & b)) for a, b in combinations(found.values(), 2)]
    if not pairs:
        return None
    best = max(pairs)
    total = max(float(known), best.total)
    return Recapture(total, max(total, best.high), total - known)
