"""Values as people compare them: squashed, without case, accents, spacing and punctuation.

`JOSE  PEREZ`, `José Pérez` and `jose-perez` are the same value to a person who searches for somebody, so they are the
same wherever values are compared or searched.
"""

from __future__ import annotations

import re
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import compress
from typing import NamedTuple

from nadie.spanish.folding import NOTHING, SHORT, by_pieces, same_length, same_length_of_note

WALL = "\x01"
"""A character in a folded text that no value may cross."""


class _Bare(dict[int, str | None]):
    """Keeps letters, digits and walls, and removes everything else."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        bare = self[code] = character if character.isalnum() or character == WALL else None
        return bare


_BARE = _Bare()
_LATIN_NOISE = bytes(c for c in range(256) if not chr(c).isalnum() and chr(c) != WALL)
_LATIN_KEPT = bytes(c not in _LATIN_NOISE for c in range(256))
_RUN_OR_WALL = re.compile(r"(?:[^\W\d_]|\x00)+|\d+|\x01+")
LONG = 20_000_000
"""The product of the lengths of a text and of a list of values above which each value is not searched by itself."""


def _bare(folded: str) -> str:
    try:
        return folded.encode("latin-1").translate(None, _LATIN_NOISE).decode("latin-1")
    except UnicodeEncodeError:
        return by_pieces(folded, _bare, lambda beyond: beyond.translate(_BARE))


def squash(text: str) -> str:
    """The folded words, joined without separators."""
    return _squashed_short(text) if len(text) <= SHORT else _bare(same_length(text))


@lru_cache(1 << 13)
def _squashed_short(text: str) -> str:
    return _bare(same_length(text))


class Found(NamedTuple):
    """A range of the original text."""

    start: int
    end: int


class Squashed:
    """A text squashed once, for searching many values. The ranges in `hidden` are not searched."""

    def __init__(self, text: str, hidden: Sequence[tuple[int, int]] = ()) -> None:
        folded = same_length_of_note(text)
        if hidden:
            pieces, end = [], 0
            for start, stop in hidden:
                pieces += [folded[end:start], WALL * (stop - start)]
                end = stop
            folded = "".join((*pieces, folded[end:]))
        self._folded = folded
        self._text = _bare(folded)

    def __contains__(self, value: str) -> bool:
        """Whether the squashed `value` occurs, also inside longer words."""
        return value in self._text

    def hides(self, start: int, end: int) -> bool:
        """Whether part of this range of the original text is hidden."""
        return WALL in self._folded[start:end]

    def find(self, value: str, *, glued: bool = False) -> list[Found]:
        """The occurrences of the squashed `value` as whole words; with `glued`, also inside longer words."""
        found: list[Found] = []
        at = self._text.find(value) if value else -1
        while at >= 0:
            start, end = self._places[at], self._places[at + len(value) - 1] + 1
            if glued or (self._is_edge(start) and self._is_edge(end)):
                found.append(Found(start, end))
            at = self._text.find(value, at + 1)
        return found

    def find_all(self, values: Collection[str]) -> dict[str, list[Found]]:
        """The occurrences of each value as whole words; values that do not occur are omitted.

        In a short text each value is searched separately, which is fastest. In a long text with many values this would
        take the product of both, so all are searched at once, word by word.
        """
        if len(values) * len(self._text) < LONG:
            return {value: places for value in values if (places := self.find(value))}
        found: dict[str, list[Found]] = defaultdict(list)
        longest = max(map(len, values))
        open_pieces: list[tuple[int, str]] = []  # those that end at this word and are not longer than all values
        for match in _RUN_OR_WALL.finditer(self._folded):
            if match.group()[0] == WALL:
                open_pieces = []
                continue
            word = match.group().replace(NOTHING, "")
            joined = [(start, piece + word) for start, piece in (*open_pieces, (match.start(), ""))]
            open_pieces = [(start, piece) for start, piece in joined if len(piece) <= longest]
            for start, piece in open_pieces:
                if piece in values:
                    found[piece].append(Found(start, match.end()))
        return found

    @cached_property
    def _places(self) -> array[int]:
        """The offset of each squashed character in the text; needed only if something was found."""
        try:
            kept: Iterable[int] = self._folded.encode("latin-1").translate(_LATIN_KEPT)
        except UnicodeEncodeError:
            kept = (c.isalnum() or c == WALL for c in self._folded)
        return array("I", compress(range(len(self._folded)), kept))

    def _is_edge(self, at: int) -> bool:
        """Whether a word ends or begins here; so it is between a letter and a digit."""
        before, after = self._folded[at - 1 : at], self._folded[at : at + 1]
        return not (before.isalnum() and after.isalnum()) or before.isdigit() != after.isdigit()
