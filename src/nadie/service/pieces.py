"""Many documents → pieces for a worker: enough that talking to it costs little, so few that others need not wait."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

_DOCUMENTS = 16
_CHARACTERS = 200_000

T = TypeVar("T")


def pieces(items: Iterable[T], length: Callable[[T], int]) -> Iterator[list[T]]:
    piece: list[T] = []
    characters = 0
    for item in items:
        size = length(item)
        if piece and (len(piece) >= _DOCUMENTS or characters + size > _CHARACTERS):
            yield piece
            piece, characters = [], 0
        piece.append(item)
        characters += size
    if piece:
        yield piece
