"""Finds what a page shows besides printed lines: bar codes, photos, signatures, stamps, handwriting, unread words.

Whatever ink is not explained by a line that was read, by a ruled line or by dirt is a graphic. So are lines that are
written across the page's direction or in another colour than most, as stamps and notes by hand are.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import zxingcpp

from nadie.scan.geometry import Box, Image, mask_of
from nadie.scan.handwriting import handwritten
from nadie.scan.reading import Line

_LONGEST = 1170  # pixels of the longer side of the page that is searched: 100 dpi for A4
_READ = 0.8  # the least score of lines that explain their ink
_SLANT = math.radians(2.5)
_INK = 60  # of 200
_COLOURED = 45  # the least difference of channels of coloured ink
_BORDER = 0.03
_COVERED = 0.97  # the least share of a line that is covered; the rest of other lines must be searched
Mask = npt.NDArray[Any]


@dataclass(frozen=True, eq=False, slots=True)
class Graphics:
    """The boxes of graphics, and the numbers of the lines that they cover wholly."""

    boxes: tuple[Box, ...]
    lines: frozenset[int]


def graphics_in(image: Image, lines: Sequence[Line], angle: float) -> Graphics:
    """The graphics of an upright page whose lines were read."""
    factor = min(1.0, _LONGEST / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    height = median([line.box.height for line in lines] or [20.0 / factor]) * factor * 0.7
    contrast = _contrast(small, [_scaled(line.box, factor) for line in lines])
    ink = ((contrast.max(axis=2) if contrast.ndim == 3 else contrast) > _INK).astype(np.uint8)
    odd = _odd_lines(lines, contrast, factor, angle) | handwritten(image, lines)
    read = [line.box for n, line in enumerate(lines) if line.reading.score >= _READ and n not in odd]
    explained = mask_of([_scaled(box, factor).grown(2, 1) for box in read], ink.shape)
    clusters = [*_clusters(ink, explained, height), *_dark_areas(small, height)]
    boxes = _around([lines[n].box for n in sorted(odd)], [_scaled(box, 1 / factor) for box in clusters])
    boxes += _codes(image)
    inside = {n for n, line in enumerate(lines) if any(share(line.box, box) > _COVERED for box in boxes)}
    return Graphics(tuple(boxes), frozenset(inside | odd))


def _contrast(image: Image, lines: Sequence[Box]) -> Mask:
    """How much darker than the paper around it each pixel is, for each channel; 200 is the ink of most lines."""
    paper = cv2.GaussianBlur(cv2.dilate(image, np.ones((15, 15), np.uint8)), (0, 0), 8)
    difference = np.clip(paper.astype(np.int16) - image, 0, 255)
    parts = [difference[_slices(box)] for box in lines]
    inks = [float(np.percentile(part, 97)) for part in parts if part.size]
    strongest = max(40.0, median(inks) if inks else float(np.percentile(difference, 99.7)))
    return np.asarray(np.clip(difference * (200 / strongest), 0, 255), dtype=np.uint8)


def _slices(box: Box) -> tuple[slice, slice]:
    left, top, right, bottom = (max(0, round(each)) for each in box.bounds())
    return slice(top, bottom + 1), slice(left, right + 1)


def _dark_areas(image: Image, height: float) -> list[Box]:
    """Areas much larger than letters that are darker than the paper: photos, and graphics with a background."""
    image = np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
    coarse = cv2.dilate(cv2.resize(grey, None, fx=0.25, fy=0.25), np.ones((19, 19), np.uint8))
    paper = cv2.resize(cv2.GaussianBlur(coarse, (0, 0), 5), grey.shape[::-1])
    size = max(3, round(0.6 * height))
    dark = cv2.morphologyEx((grey < 0.72 * paper).astype(np.uint8), cv2.MORPH_OPEN, np.ones((size, size), np.uint8))
    outlines, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = [_scaled(_box_of(each), 2) for each in outlines if not _is_border(each, grey.shape)]
    return [box.grown(4, 4) for box in boxes if min(box.length, box.height) > 2.5 * height]


def _box_of(points: npt.NDArray[Any]) -> Box:
    (x, y), (a, b), degrees = cv2.minAreaRect(points)
    return Box(x, y, a + 1, b + 1, math.radians(degrees))


def _around(odd: list[Box], others: list[Box]) -> list[Box]:
    """One box around each group of odd lines and the graphics that touch them, such as the frame of a stamp."""
    groups = [[box] for box in odd]
    rest = list(others)
    for group in groups:
        for box in group:  # grows while it is read
            near = [each for each in rest if share(each, box.grown(box.height, box.height)) > 0]
            rest = [each for each in rest if each not in near]
            group += near
    boxes = [_box_of(np.concatenate([box.corners() for box in group])) for group in groups]
    return boxes + rest


def _codes(image: Image) -> list[Box]:
    """Bar codes and matrix codes that can be read."""
    factor = min(1.0, 2 * _LONGEST / max(image.shape[:2]))
    grey = image if image.ndim == 2 else np.asarray(cv2.cvtColor(image, cv2.COLOR_RGB2GRAY))
    small = np.ascontiguousarray(cv2.resize(grey, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA))
    found = []
    for code in zxingcpp.read_barcodes(small, try_downscale=False):
        place = code.position
        corners = [place.top_left, place.top_right, place.bottom_right, place.bottom_left]
        points = np.array([(p.x, p.y) for p in corners], dtype=np.float32) / factor
        found.append(_box_of(points).grown(8 / factor, 8 / factor))
    return found


def _odd_lines(lines: Sequence[Line], contrast: Mask, factor: float, angle: float) -> frozenset[int]:
    """Lines across the direction of the page, and coloured lines if most are not."""
    slanted = {
        n
        for n, line in enumerate(lines)
        if line.box.length > 3.5 * line.box.height and abs(math.remainder(line.box.angle - angle, math.pi / 2)) > _SLANT
    }
    if contrast.ndim == 2 or not lines:
        return frozenset(slanted)
    colours = [_colour(contrast, _scaled(line.box, factor)) for line in lines]
    usual = median(colours)
    coloured = {n for n, colour in enumerate(colours) if colour > usual + _COLOURED}
    return frozenset(slanted | coloured)


def _colour(contrast: Mask, box: Box) -> float:
    """How much the channels differ where there is ink."""
    part = contrast[_slices(box)].reshape(-1, 3)
    inked = part[part.max(axis=1) > _INK]
    return float((inked.max(axis=1).astype(np.int16) - inked.min(axis=1)).mean()) if len(inked) else 0.0


def _clusters(ink: Mask, explained: Mask, height: float) -> list[Box]:
    """The boxes of unexplained ink that is too large for dirt and no ruled line."""
    rest = np.where(explained > 0, 0, ink).astype(np.uint8)
    rest = _without_rules(rest, max(12, round(3 * height)), max(50, round(7 * height)))
    _, numbers, stats, _ = cv2.connectedComponentsWithStats(rest, connectivity=8)
    widths, heights, areas = stats[:, cv2.CC_STAT_WIDTH], stats[:, cv2.CC_STAT_HEIGHT], stats[:, cv2.CC_STAT_AREA]
    thin = (np.minimum(widths, heights) <= max(2, 0.22 * height)) & (np.maximum(widths, heights) < 30 * height)
    dropped = thin | (areas < max(4, 0.1 * height * height))
    is_bar = (heights > 1.5 * height) & (widths <= max(3, 0.5 * height)) & (heights < 8 * height)
    dropped &= ~is_bar
    dropped[0] = True
    kept = (~dropped)[numbers].astype(np.uint8)
    reach = max(3, round(0.9 * height))
    joined = cv2.morphologyEx(kept, cv2.MORPH_CLOSE, np.ones((reach, reach), np.uint8))
    found = []
    outlines, _ = cv2.findContours(joined, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    for outline in outlines:
        box = _box_of(outline)
        sides = sorted((box.length, box.height))
        if sides[1] >= 1.4 * height and sides[0] >= 0.5 * height and not _is_border(outline, ink.shape):
            found.append(box.grown(2, 2))
    return found


def _without_rules(ink: Mask, across: int, down: int) -> Mask:
    """The ink without thin straight lines of at least these lengths; the bars of codes are shorter."""
    rest = ink
    for size, thick in (((across, 1), (1, 7)), ((1, down), (7, 1))):
        rules = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones(size[::-1], np.uint8))
        solid = cv2.morphologyEx(rules, cv2.MORPH_OPEN, np.ones(thick[::-1], np.uint8))  # a photo, not a line
        rules = cv2.dilate(np.where(solid > 0, 0, rules).astype(np.uint8), np.ones((3, 3), np.uint8))
        rest = np.where(rules > 0, 0, rest).astype(np.uint8)
    return rest


def _is_border(outline: npt.NDArray[Any], shape: tuple[int, ...]) -> bool:
    """Whether it is the dark edge of a copy or what lies around a photographed sheet."""
    left, top, width, height = cv2.boundingRect(outline)
    tall, wide = shape[:2]
    touches = left <= 2 or top <= 2 or left + width >= wide - 2 or top + height >= tall - 2
    is_thin = min(width / wide, height / tall) < _BORDER
    is_frame = cv2.contourArea(outline) < 0.25 * width * height or max(width / wide, height / tall) > 0.6
    return touches and (is_thin or is_frame)


def _scaled(box: Box, factor: float) -> Box:
    return Box(box.x * factor, box.y * factor, box.length * factor, box.height * factor, box.angle)


def share(box: Box, outer: Box) -> float:
    """The share of a box that is inside another."""
    kind, points = cv2.rotatedRectangleIntersection(_rectangle(box), _rectangle(outer))
    area = float(cv2.contourArea(cv2.convexHull(points))) if kind and points is not None else 0.0
    return area / max(1.0, box.length * box.height)


def _rectangle(box: Box) -> tuple[tuple[float, float], tuple[float, float], float]:
    return (box.x, box.y), (box.length, box.height), math.degrees(box.angle)
