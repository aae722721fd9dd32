"""Names run together, as in mail addresses, user names and file names: `asalgado`, `ANARUBIO`, `antonio.s`.

A run of letters is split into the names of a person at the least cost: whole names cost least, then beginnings of
names, then initials; a letter that no name explains costs most.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nadie.persons.parsing import Kind

_LONGEST = 60
_SHORTEST_BEGINNING = 3
_WHOLE, _BEGINNING, _INITIAL, _UNKNOWN = 0, 2, 3, 10

Named = tuple[Kind, str]
"""A part of a person's name: what it is, and its folded form."""


class NamePiece(NamedTuple):
    """Some letters of a run, and the name of which they are all or the first letters; None if no name explains them."""

    text: str
    of: Named | None

    @property
    def is_whole(self) -> bool:
        return self.of is not None and len(self.text) == len(self.of[1])


Cut = tuple[int, int, list[NamePiece]]
"""What pieces cost, how many they are, and the pieces."""


def cut(run: str, names: Sequence[Named]) -> list[NamePiece]:
    """Split a folded run of letters. The time is the product of both lengths; a very long run is one piece."""
    if len(run) > _LONGEST:
        return [NamePiece(run, None)]
    best: list[Cut] = [(0, 0, [])]
    for end in range(1, len(run) + 1):
        choices = [_extended(best[end - 1], NamePiece(run[end - 1 : end], None), _UNKNOWN)]
        for named in names:
            name = named[1]
            for length in range(1, min(len(name), end) + 1):
                if run.startswith(name[:length], end - length) and (price := _price(length, len(name))) is not None:
                    choices.append(_extended(best[end - length], NamePiece(name[:length], named), price))
        best.append(min(choices, key=lambda choice: choice[:2]))
    return best[-1][2]


def _price(length: int, whole: int) -> int | None:
    if length == whole and whole > 1:
        return _WHOLE
    if length == 1:
        return _INITIAL
    return _BEGINNING if length >= _SHORTEST_BEGINNING else None


def _extended(before: Cut, piece: NamePiece, price: int) -> Cut:
    return before[0] + price, before[1] + 1, [*before[2], piece]


def explained(pieces: Sequence[NamePiece]) -> int:
    """The number of letters that are whole names or beginnings of names."""
    return sum(len(piece.text) for piece in pieces if piece.of is not None and len(piece.text) > 1)


def is_joined(pieces: Sequence[NamePiece]) -> bool:
    """Whether names explain all letters: at least two names, one of them whole."""
    return len(pieces) > 1 and all(piece.of for piece in pieces) and any(piece.is_whole for piece in pieces)
