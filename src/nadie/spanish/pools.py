"""Values to draw from, each as often as it is usual."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import NamedTuple


class Pool(NamedTuple):
    """Values with cumulative weights: each number below `total` selects one of them."""

    values: tuple[str, ...]
    sums: tuple[int, ...]

    @classmethod
    def of(cls, weights: Mapping[str, int]) -> Pool:
        return cls(tuple(weights), tuple(accumulate(weights.values())))

    @classmethod
    def evenly(cls, values: Iterable[str]) -> Pool:
        """The values with equal weights."""
        return cls.of(dict.fromkeys(values, 1))

    @property
    def total(self) -> int:
        return self.sums[-1] if self.sums else 0

    def at(self, number: int) -> str:
        return self.values[bisect_right(self.sums, number)]
