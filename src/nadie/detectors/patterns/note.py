"""A note as the patterns see it: its plain text, and where an expression matches in it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any, Literal

from nadie.detectors.patterns.scanning import Scanner
from nadie.spanish.folding import plain

Casing = Literal["mixed", "upper", "lower"]

_WINDOW = 100
_SMALL_LETTER = re.compile("[a-z]")
_SCANNER = Scanner()


@dataclass(frozen=True)
class PlainText:
    """The plain text of a note, and the same as bytes, on which the patterns run."""

    plain: str

    @classmethod
    def of(cls, text: str) -> PlainText:
        return cls(plain(text))

    @cached_property
    def raw(self) -> bytes:
        return self.plain.encode("ascii")

    def scan(self, expression: str) -> Iterator[Any]:
        """The matches of `expression` all over the note."""
        if expression in self._absent:
            return iter(())
        return _SCANNER.scan(expression, self.raw)

    @cached_property
    def _absent(self) -> frozenset[str]:
        return _SCANNER.absent(self.raw)

    @cached_property
    def _is_lower(self) -> bool:
        """Whether the note was written without the shift key; a stray capital does not change that."""
        capitals = len(self.raw) - len(self.raw.translate(None, ascii_uppercase.encode()))
        return capitals * 100 < len(self.plain)

    def casing(self, at: int) -> Casing:
        """How the text around `at` is written. A note may have a heading in capitals and the rest as usual."""
        if self._is_lower:
            return "lower"
        small = _SMALL_LETTER.search(self.plain, max(0, at - _WINDOW), at + _WINDOW)
        return "mixed" if small else "upper"
