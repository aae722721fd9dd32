"""A text as the patterns see it, in plain ASCII, and the scanner that runs some two hundred expressions over it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from string import ascii_uppercase
from typing import Any, Literal

from nadie import expressions
from nadie.spanish.folding import plain

Casing = Literal["mixed", "upper", "lower"]

_WINDOW = 100
_SMALL_LETTER = re.compile("[a-z]")


@cache
def compiled(expression: str) -> Any:
    """`expression` compiled to run on the bytes of a text, with its signs folded as those of the text are."""
    return expressions.compiled(plain(expression))


class Scanner:
    """Keeps the expressions it has run, and finds in a single pass which of them are absent from the next text.

    It is thread-safe: the expressions and their automata are replaced together, never changed in place.
    """

    def __init__(self) -> None:
        self._met: dict[str, None] = {}
        self._known: tuple[tuple[str, ...], expressions.Expressions] = ((), expressions.Expressions(()))

    def scan(self, expression: str, raw: bytes) -> Iterator[Any]:
        """The matches of `expression` in the bytes of a text."""
        self._met.setdefault(expression)
        matches: Iterator[Any] = compiled(expression).finditer(raw)
        return matches

    def absent(self, raw: bytes) -> frozenset[str]:
        """Known expressions that match nowhere in the bytes of a text."""
        if len(self._met) > len(self._known[0]):
            met = tuple(self._met)
            self._known = met, expressions.Expressions([plain(expression) for expression in met])
        known, automata = self._known
        return frozenset(known).difference([known[number] for number in automata.matching(raw)])


_SCANNER = Scanner()


@dataclass(frozen=True)
class PlainText:
    """The plain form of a text, as a string and as the bytes that the expressions run on."""

    plain: str

    @classmethod
    def of(cls, text: str) -> PlainText:
        return cls(plain(text))

    @cached_property
    def raw(self) -> bytes:
        return self.plain.encode("ascii")

    def scan(self, expression: str) -> Iterator[Any]:
        """All matches of `expression`."""
        if expression in self._absent:
            return iter(())
        return _SCANNER.scan(expression, self.raw)

    @cached_property
    def _absent(self) -> frozenset[str]:
        return _SCANNER.absent(self.raw)

    @cached_property
    def _is_lower(self) -> bool:
        """Whether the text has practically no capitals; fewer than one in a hundred characters do not count."""
        capitals = len(self.raw) - len(self.raw.translate(None, ascii_uppercase.encode()))
        return capitals * 100 < len(self.plain)

    def casing(self, at: int) -> Casing:
        """The case of the text around `at`: a heading may be in capitals and the rest in mixed case."""
        if self._is_lower:
            return "lower"
        small = _SMALL_LETTER.search(self.plain, max(0, at - _WINDOW), at + _WINDOW)
        return "mixed" if small else "upper"
