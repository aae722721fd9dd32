"""The boxes that cover some characters of a line: whole letters, and what stands between neighbours."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from nadie.scan.geometry import Box, Image, cut_out
from nadie.scan.reading import Line
from nadie.scan.recognition import HEIGHT

_BETWEEN = re.compile(r"[^\w|]{1,4}|")
_MARGIN = 0.06  # shares of the height of the line
_REACH = 0.7
_WIDEST = 1.2
_LEAST_INSIDE = 0.3  # of the width of a letter that is covered whole


class Stretch(NamedTuple):
    """Characters of one of the two readings of a line, and what is written in their place."""

    start: int
    end: int
    is_other: bool
    replacement: str


def joined(line: Line, stretches: Iterable[Stretch]) -> list[Stretch]:
    """The stretches in order; those with only punctuation between them are one, as in `GARCÍA, ANA`."""
    done: list[Stretch] = []
    for each in sorted(stretches, key=lambda each: (each.is_other, each.start, -each.end)):
        before = done[-1] if done and done[-1].is_other == each.is_other else None
        text = (line.other if each.is_other else line.reading).text
        if before and _BETWEEN.fullmatch(text[before.end : max(before.end, each.start)]):
            between = text[before.end : max(before.end, each.start)] if each.replacement else ""
            end = max(before.end, each.end)
            done[-1] = Stretch(before.start, end, each.is_other, before.replacement + between + each.replacement)
        else:
            done.append(each)
    return done


def cover(image: Image, line: Line, stretch: Stretch) -> Box:
    """The box of a stretch, grown so that it cuts no letter. The image is upright."""
    box = line.place(stretch.start, stretch.end, stretch.is_other)
    reach = _REACH * box.height
    crop = cut_out(image, box.grown(reach, 0), HEIGHT)
    scale = HEIGHT / max(box.height, 1.0)
    begin, end = reach * scale, crop.shape[1] - reach * scale
    new_begin, new_end = begin, end
    for left, right in _letters(crop):
        inside = min(right, end) - max(left, begin)
        if inside >= _LEAST_INSIDE * (right - left):
            new_begin, new_end = min(new_begin, left), max(new_end, right)
    grown = box.part((new_begin - begin) / scale, box.length + (new_end - end) / scale)
    return grown.grown(_MARGIN * box.height, 0)


def _letters(crop: Image) -> Sequence[tuple[int, int]]:
    """From where to where connected ink goes along the line, unless it is too long for a letter."""
    grey = np.ascontiguousarray(crop if crop.ndim == 2 else cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY))
    _, ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    if ink.mean() > 0.5:  # light letters on a dark ground
        ink = 1 - ink
    stats = cv2.connectedComponentsWithStats(ink)[2][1:]
    lefts, widths = stats[:, cv2.CC_STAT_LEFT].tolist(), stats[:, cv2.CC_STAT_WIDTH].tolist()
    return [(a, a + b) for a, b in zip(lefts, widths, strict=True) if b <= _WIDEST * HEIGHT]
