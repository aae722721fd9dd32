"""Long notes in pieces: every token is judged once, with its neighbours in view."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple


class Window(NamedTuple):
    """The network reads tokens `first` up to `stop`; only `begin` up to `end` are judged here, the rest is context."""

    first: int
    begin: int
    end: int
    stop: int


def reading_windows(tokens: int, breaks: Sequence[int], size: int, context: int) -> list[Window]:
    """Windows of at most `size` tokens whose judged parts, laid end to end, are the whole sequence.

    Where possible a judged part ends at one of `breaks` (the first tokens of sentences, in order). Tags are then chosen
    over the whole sequence at once, so that a seam can fall inside an entity without cutting it.
    """
    core = size - 2 * context
    if core < 1:
        raise ValueError(f"a window of {size} tokens has no room for {context} of context on either side")
    windows: list[Window] = []
    begin = 0
    while begin < tokens:
        end = _last_break(breaks, begin, min(begin + core, tokens), tokens)
        windows.append(Window(max(0, begin - context), begin, end, min(tokens, end + context)))
        begin = end
    return windows


def training_windows(starts: Sequence[int], tokens: int, size: int, first: int) -> list[tuple[int, int]]:
    """Ranges of at most `size` tokens that together hold every token once; the first has at most `first`.

    They begin only at `starts`: places, in order and from 0 on, where neither a sentence nor an entity is cut. A
    stretch without such a place becomes one longer window.
    """
    ranges: list[tuple[int, int]] = []
    begin, room = 0, first
    while begin < tokens:
        end = _last_break(starts, begin, min(begin + room, tokens), tokens, hard=False)
        ranges.append((begin, end))
        begin, room = end, size
    return ranges


def _last_break(breaks: Sequence[int], begin: int, limit: int, tokens: int, *, hard: bool = True) -> int:
    """The last break after `begin` and not after `limit`; with none, `limit` itself or the next break after it."""
    if limit >= tokens:
        return tokens
    place = bisect_right(breaks, limit)
    if place > 0 and breaks[place - 1] > begin:
        return breaks[place - 1]
    if hard:
        return limit
    return breaks[place] if place < len(breaks) else tokens
