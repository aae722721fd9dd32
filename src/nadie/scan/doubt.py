"""Reads the doubtful parts of lines again, with the better network: it takes five times as long as the fast one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

import cv2
import numpy as np

from nadie.scan.geometry import Image
from nadie.scan.recognition import Reading, read

_SURE = 0.95  # words with a character below are read again
_BLUR = 0.6
_MOST = 0.7  # of a line; if more is in doubt, all of it is read again
_WORD = re.compile(r"\S+")


def read_again(lines: Sequence[tuple[Image, Reading]]) -> list[Reading]:
    """The readings of lines in which the doubtful words and their neighbours are read by the better network."""
    parts = [list(_doubtful(reading)) for _, reading in lines]
    crops = [
        _softened(crop, reading.edges[start], reading.edges[end])
        for (crop, reading), some in zip(lines, parts, strict=True)
        for start, end in some
    ]
    read_parts = iter(read(crops, "small"))
    return [
        _joined(reading, [(part, next(read_parts)) for part in some])
        for (_, reading), some in zip(lines, parts, strict=True)
    ]


def _doubtful(reading: Reading) -> Iterator[tuple[int, int]]:
    """Where doubtful words and their neighbours are; the whole line if that is most of it."""
    words = [match.span() for match in _WORD.finditer(reading.text)]
    doubtful = [n for n, (start, end) in enumerate(words) if min(reading.scores[start:end]) < _SURE]
    near = sorted({m for n in doubtful for m in (n - 1, n, n + 1) if 0 <= m < len(words)})
    if not near or sum(words[n][1] - words[n][0] for n in near) > _MOST * len(reading.text):
        yield 0, len(reading.text)
        return
    breaks = [0, *(at for at, (a, b) in enumerate(pairwise(near), start=1) if b > a + 1), len(near)]
    for first, last in pairwise(breaks):
        start, end = words[near[first]][0], words[near[last - 1]][1]
        yield 0 if near[first] == 0 else start, len(reading.text) if near[last - 1] == len(words) - 1 else end


def _softened(crop: Image, start: float, end: float) -> Image:
    """The part of a line from one share of its width to another, slightly blurred."""
    left, right = (round(share * crop.shape[1]) for share in (start, end))
    part = np.ascontiguousarray(crop[:, left : max(right, left + 1)])
    return np.asarray(cv2.GaussianBlur(part, (0, 0), _BLUR), dtype=np.uint8)


def _joined(reading: Reading, parts: Sequence[tuple[tuple[int, int], Reading]]) -> Reading:
    """The reading with some parts of it read otherwise."""
    text, scores, edges, at = "", list[float](), list[float](), 0
    for (start, end), new in parts:
        left, right = reading.edges[start], reading.edges[end]
        text += reading.text[at:start] + new.text
        scores += [*reading.scores[at:start], *new.scores]
        edges += [*reading.edges[at:start], *(left + edge * (right - left) for edge in new.edges[:-1])]
        at = end
    text += reading.text[at:]
    return Reading(text, (*scores, *reading.scores[at:]), (*edges, *reading.edges[at:]))
