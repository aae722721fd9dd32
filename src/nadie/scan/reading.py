"""Reads a page: lines are detected, read by the small and fast network, and again by the better one where in doubt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median

import numpy as np

from nadie.scan.detection import lines_in
from nadie.scan.doubt import read_again
from nadie.scan.geometry import Box, Image, cut_out
from nadie.scan.recognition import HEIGHT, NOTHING, Reading, read, read_quickly

_SURE = 0.98  # lines below are read again
_UPRIGHT = 0.9  # the mean score of lines that are certainly not upside down
_SAMPLE = 6
_SAMPLE_LENGTH = 12  # times the height: long enough to tell, and read quickly
_QUARTER = math.pi / 2


@dataclass(frozen=True, eq=False, slots=True)
class Line:
    """A line of text. `other` is what the other network read, if that is something else."""

    box: Box
    reading: Reading
    other: Reading = NOTHING

    def place(self, start: int, end: int, other: bool = False) -> Box:
        """The box of some characters of the reading."""
        edges = (self.other if other else self.reading).edges
        return self.box.part(edges[start] * self.box.length, edges[end] * self.box.length)


@dataclass(frozen=True, eq=False, slots=True)
class PageReading:
    """The lines of a page in pixels of the page turned upright: `turns` quarters counterclockwise."""

    lines: tuple[Line, ...]
    turns: int
    angle: float


def read_page(image: Image) -> PageReading:
    """The lines of a page that may be turned by any number of quarters, and a little skewed."""
    turns, boxes = _turns(image, lines_in(image))
    image = turned(image, turns)
    lines = _read_lines(image, boxes)
    return PageReading(tuple(lines), turns, _angle(boxes))


def turned(image: Image, quarters: int) -> Image:
    """The image turned counterclockwise."""
    return np.ascontiguousarray(np.rot90(image, quarters)) if quarters % 4 else image


def _turns(image: Image, boxes: list[Box]) -> tuple[int, list[Box]]:
    """How many quarters to turn the page so that most lines are upright, and the boxes on the turned page."""
    along = sum(box.length for box in boxes if abs(box.angle) > _QUARTER / 2)
    turns = 0
    if along > sum(box.length for box in boxes) / 2:
        turns, image = 1, turned(image, 1)
        boxes = lines_in(image)
    sample = sorted(boxes, key=lambda box: abs(box.length - _SAMPLE_LENGTH * box.height))[:_SAMPLE]
    upright = _mean_score([cut_out(image, box, HEIGHT) for box in sample])
    if upright > _UPRIGHT or not boxes:
        return turns, boxes
    flipped = _mean_score([np.ascontiguousarray(cut_out(image, box, HEIGHT)[::-1, ::-1]) for box in sample])
    if flipped > upright:
        tall, wide = image.shape[:2]
        return turns + 2, [replace(box, x=wide - box.x, y=tall - box.y) for box in boxes]
    return turns, boxes


def _mean_score(crops: Sequence[Image]) -> float:
    scores = [score for _, score in read_quickly(crops, "tiny")]
    return sum(scores) / len(scores) if scores else 0.0


def _angle(boxes: Sequence[Box]) -> float:
    """The direction of most lines; long lines tell it best."""
    long = sorted((box for box in boxes if abs(box.angle) < _QUARTER / 2), key=lambda box: -box.length)[:15]
    return median([box.angle for box in long]) if long else 0.0


def _read_lines(image: Image, boxes: Sequence[Box]) -> list[Line]:
    boxes = _both_ways(image, boxes)
    crops = [cut_out(image, box, HEIGHT) for box in boxes]
    first = read(crops, "tiny")
    doubtful = [n for n, reading in enumerate(first) if reading.score < _SURE]
    again = dict(zip(doubtful, read_again([(crops[n], first[n]) for n in doubtful]), strict=True))
    lines = []
    for n, (box, reading) in enumerate(zip(boxes, first, strict=True)):
        better, other = reading, again.get(n, NOTHING)
        if other.score > better.score:
            better, other = other, better
        lines.append(Line(box, better, other if other.text != better.text else NOTHING))
    return lines


def _both_ways(image: Image, boxes: Sequence[Box]) -> list[Box]:
    """The boxes, with those of lines that run downwards or upwards in the direction in which they can be read."""
    sideways = [n for n, box in enumerate(boxes) if abs(box.angle) > _QUARTER / 2]
    back = [replace(boxes[n], angle=boxes[n].angle - math.pi) for n in sideways]
    down = read([cut_out(image, boxes[n], HEIGHT) for n in sideways], "tiny")
    up = read([cut_out(image, box, HEIGHT) for box in back], "tiny")
    done = list(boxes)
    for n, box, one, other in zip(sideways, back, down, up, strict=True):
        if other.score > one.score:
            done[n] = box
    return done
