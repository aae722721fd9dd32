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


_Step = tuple[int, int, int, int]
"""What the pieces up to a letter cost, how many they are, and the number of the name and the length of the last one."""


class NamePiece(NamedTuple):
    """Some letters of a run, and the name of which they are all or the first letters; None if no name explains them."""

    text: str
    of: Named | None

    @property
    def is_whole(self) -> bool:
        return self.of is not None and len(self.text) == len(self.of[1])


def cut(run: str, names: Sequence[Named]) -> list[NamePiece]:
    """Split a folded run of letters. The time is the product of both lengths; a very long run is one piece."""
    if len(run) > _LONGEST:
        return [NamePiece(run, None)]
    best: list[_Step] = [(0, 0, 0, 0)]
    ending: list[list[tuple[int, int, int]]] = [[(_UNKNOWN, -1, 1)] for _ in run]  # by the last letter
    for start, letter in enumerate(run):
        for number, (_, name) in enumerate(names):
            if name[:1] == letter:
                length = _common(run, start, name)
                prices = ((each, _price(each, len(name))) for each in range(1, length + 1))
                for each, price in prices:
                    if price is not None:
                        ending[start + each - 1].append((price, number, each))
        cheapest = min(
            (best[start + 1 - length][0] + price, best[start + 1 - length][1] + 1, number, length)
            for price, number, length in ending[start]
        )
        best.append(cheapest)
    pieces: list[NamePiece] = []
    end = len(run)
    while end:
        _, _, number, length = best[end]
        pieces.append(NamePiece(run[end - length : end], names[number] if number >= 0 else None))
        end -= length
    return pieces[::-1]


def _common(run: str, start: int, name: str) -> int:
    """The number of letters that a name and a run from `start` on have in common at their beginning."""
    return next(
        (n for n, (a, b) in enumerate(zip(name, run[start:], strict=False)) if a != b), min(len(name), len(run) - start)
    )


def _price(length: int, whole: int) -> int | None:
    if length == whole and whole > 1:
        return _WHOLE
    if length == 1:
        return _INITIAL
    return _BEGINNING if length >= _SHORTEST_BEGINNING else None


def explained(pieces: Sequence[NamePiece]) -> int:
    """The number of letters that are whole names or beginnings of names."""
    return sum(len(piece.text) for piece in pieces if piece.of is not None and len(piece.text) > 1)


def is_joined(pieces: Sequence[NamePiece]) -> bool:
    """Whether names explain all letters: at least two names, one of them whole."""
    return len(pieces) > 1 and all(piece.of for piece in pieces) and any(piece.is_whole for piece in pieces)
