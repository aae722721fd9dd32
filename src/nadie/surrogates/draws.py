"""The source of all random choices: a key, with which equal identities have equal results, or a generator."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import TypeVar

from nadie.spanish.pools import Pool

T = TypeVar("T")

_REDRAWS = 24


class Draws(ABC):
    """Makes random choices. With a key, equal `identity` (what is chosen, and for whom) gives equal choices."""

    __slots__ = ()

    @abstractmethod
    def number(self, bound: int, *identity: str) -> int:
        """A number from 0 to `bound` - 1."""

    def choose(self, pool: Sequence[T], accept: Callable[[T], bool], *identity: str) -> T | None:
        """An accepted element of the pool, or None: by random draws, and if they fail the first accepted in order."""
        if not pool:
            return None
        at = 0
        for attempt in range(_REDRAWS):
            at = self.number(len(pool), *identity, str(attempt))
            if accept(pool[at]):
                return pool[at]
        for step in range(1, len(pool)):
            if accept(candidate := pool[(at + step) % len(pool)]):
                return candidate
        return None

    def draw(self, pool: Pool, accept: Callable[[str], bool], *identity: str) -> str | None:
        """An accepted value of the pool, drawn by weight, or None; if draws fail, the first accepted in order."""
        for attempt in range(_REDRAWS if pool.total else 0):
            value = pool.at(self.number(pool.total, *identity, str(attempt)))
            if accept(value):
                return value
        return self.choose(pool.values, accept, *identity)

    def permuted(self, number: int, size: int, *identity: str) -> int:
        """A number from 0 to `size` - 1. With a key, different numbers give different ones for the same identity."""
        return self.number(size, *identity, str(number))

    def characters(self, alphabet: str, count: int, *identity: str) -> str:
        """`count` characters of an alphabet."""
        return "".join(alphabet[self.number(len(alphabet), *identity, str(place))] for place in range(count))
