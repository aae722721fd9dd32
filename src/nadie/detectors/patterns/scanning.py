"""Running some two hundred expressions over a note, most of which match nowhere in it."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from nadie import expressions
from nadie.spanish.folding import plain


@cache
def compiled(expression: str) -> Any:
    """`expression` ready to run on the bytes of a note; signs in it are folded as in the note."""
    return expressions.compiled(plain(expression))


class Scanner:
    """Remembers the expressions it has run, and tells of the next note in a single pass which of them are absent.

    Threads may share one: the expressions it knows and their automata are replaced together, never changed.
    """

    def __init__(self) -> None:
        self._met: dict[str, None] = {}
        self._known: tuple[tuple[str, ...], expressions.Expressions] = ((), expressions.Expressions(()))

    def scan(self, expression: str, raw: bytes) -> Iterator[Any]:
        """The matches of `expression` in the bytes of a note."""
        self._met.setdefault(expression)
        matches: Iterator[Any] = compiled(expression).finditer(raw)
        return matches

    def absent(self, raw: bytes) -> frozenset[str]:
        """Expressions that match nowhere in the bytes of a note; it may know of more that do not."""
        if len(self._met) > len(self._known[0]):
            met = tuple(self._met)
            self._known = met, expressions.Expressions([plain(expression) for expression in met])
        known, automata = self._known
        return frozenset(known).difference([known[number] for number in automata.matching(raw)])
