"""Tells lines written by hand from printed ones: their letters stand less exactly on one line."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from nadie.scan.geometry import Image, cut_out
from nadie.scan.reading import Line

Heights = npt.NDArray[Any]
_HEIGHT = 96
_NEAR = 3  # pixels of this height
_LEAST_LETTERS = 5
_SURE = 0.98
_TALL = 1.2  # times the height of most lines: printed lines of that height end at two heights
_BAR = 5  # times as high as wide


def handwritten(image: Image, lines: Sequence[Line]) -> frozenset[int]:
    """The numbers of the lines that were probably written by hand, on a page where most are printed."""
    doubtful = [n for n, line in enumerate(lines) if line.other.text or line.reading.score < _SURE]
    printed = [n for n in range(len(lines)) if n not in doubtful][:10] or doubtful
    usual = [share for n in printed if (share := _aligned(image, lines[n]))]
    if not usual:
        return frozenset()
    height = median(line.box.height for line in lines)
    feet, tops = (median(values) for values in zip(*usual, strict=True))
    found: set[int] = set()
    for n in doubtful:
        if share := _aligned(image, lines[n]):
            is_uneven = share[0] < min(0.62, feet - 0.15)
            is_unlike = share[1] < tops - 0.1 and lines[n].box.height > _TALL * height
            found.update({n} if is_uneven or is_unlike else ())
    return frozenset(found)


def _aligned(image: Image, line: Line) -> tuple[float, float] | None:
    """The shares of the letters that stand on the base line, and that end at one of two heights."""
    crop = cut_out(image, line.box, _HEIGHT)
    grey = np.ascontiguousarray(crop if crop.ndim == 2 else cv2.cvtColor(crop, cv2.COLOR_RGB2GRAY))
    _, ink = cv2.threshold(grey, 0, 1, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    stats = cv2.connectedComponentsWithStats(ink)[2][1:]
    high, wide = stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_WIDTH]
    is_bar = high > _BAR * wide  # `|` of tables goes below the base line
    stats = stats[(high > 0.2 * _HEIGHT) & (high < 0.95 * _HEIGHT) & (wide < 2.5 * _HEIGHT) & ~is_bar]
    if len(stats) < _LEAST_LETTERS:
        return None
    top = stats[:, cv2.CC_STAT_TOP]
    feet = top + stats[:, cv2.CC_STAT_HEIGHT]
    small = _most_common(top)
    others = top[np.abs(top - small) > _NEAR]
    at_top = len(top) - len(others) + (_count(others, _most_common(others)) if len(others) else 0)
    return _count(feet, _most_common(feet)) / len(feet), at_top / len(top)


def _most_common(values: Heights) -> int:
    counts = np.bincount(values, minlength=_HEIGHT + 1)
    return int(np.convolve(counts, np.ones(2 * _NEAR + 1, dtype=int), "same").argmax())


def _count(values: Heights, value: int) -> int:
    return int((np.abs(values - value) <= _NEAR).sum())
