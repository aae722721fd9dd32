"""The original values of a document, so that no surrogate repeats one of them."""

from __future__ import annotations

from collections.abc import Iterable, Set
from dataclasses import dataclass

from nadie.spanish.folding import words_of

_MOST_WORDS = 8


@dataclass(frozen=True)
class Originals:
    """The original values of one document, squashed, for comparison with its surrogates."""

    values: Set[str]

    def within(self, text: str) -> bool:
        """Whether some consecutive words of `text` are an original value."""
        return any(self.has(piece) for piece in _joined(words_of(text)))

    def has(self, squashed: str) -> bool:
        """Whether a squashed value is an original value."""
        return squashed in self.values

    def side_by_side(self, folded: list[str]) -> bool:
        """Whether two or more consecutive folded words are an original value."""
        return any(self.has(piece) for piece in _joined(folded, at_least=2))


def _joined(parts: list[str], at_least: int = 1) -> Iterable[str]:
    for first in range(len(parts)):
        piece = ""
        for count, part in enumerate(parts[first : first + _MOST_WORDS], start=1):
            piece += part
            if count >= at_least:
                yield piece
