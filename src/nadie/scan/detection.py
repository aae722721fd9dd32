"""Finds the lines of text of a page: the detector of PP-OCRv6, and the boxes around what it marks."""

from __future__ import annotations

import math

import cv2
import numpy as np

from nadie.scan.geometry import Box, Image
from nadie.scan.networks import network

_LONGEST = 1536  # pixels of the longer side that the network sees
_STEP = 32
_MARKED = 0.2
_LEAST_MEAN = 0.4
_GROWTH = 1.4  # the network marks the middle of lines
_LEAST_SIDE = 3
_MEAN = np.array([0.485, 0.456, 0.406], dtype=np.float32)
_DEVIATION = np.array([0.229, 0.224, 0.225], dtype=np.float32)


def lines_in(image: Image) -> list[Box]:
    """The boxes around lines, in no order. Lines that run from top to bottom have an angle of 90 degrees."""
    tall, wide = image.shape[:2]
    factor = min(1.0, _LONGEST / max(tall, wide))
    size = [max(_STEP, round(side * factor / _STEP) * _STEP) for side in (tall, wide)]
    small = cv2.resize(image, (size[1], size[0]), interpolation=cv2.INTER_AREA if factor < 1 else cv2.INTER_LINEAR)
    if small.ndim == 2:
        small = np.repeat(small[..., None], 3, axis=2)
    values = (small[..., ::-1].astype(np.float32) / 255 - _MEAN) / _DEVIATION
    marked = network("detector").run(None, {"x": values.transpose(2, 0, 1)[None]})[0][0, 0]
    return _boxes(marked, wide / size[1], tall / size[0])


def _boxes(marked: np.ndarray[tuple[int, int], np.dtype[np.float32]], across: float, down: float) -> list[Box]:
    outlines, _ = cv2.findContours((marked > _MARKED).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    boxes = []
    for outline in outlines:
        left, top, width, height = cv2.boundingRect(outline)
        part = marked[top : top + height, left : left + width]
        inside = np.zeros(part.shape, dtype=np.uint8)
        cv2.fillPoly(inside, [outline - np.array([[left, top]])], 1)
        if min(width, height) < _LEAST_SIDE or part[inside > 0].mean() < _LEAST_MEAN:
            continue
        scaled = (outline.reshape(-1, 2) + 0.5) * np.array([across, down])
        (x, y), (a, b), degrees = cv2.minAreaRect(scaled.astype(np.float32))
        more = (a + 1) * (b + 1) * _GROWTH / (2 * (a + b + 2))
        boxes.append(_turned(x, y, a + 2 * more, b + 2 * more, degrees))
    return boxes


def _turned(x: float, y: float, a: float, b: float, degrees: float) -> Box:
    """The box with its length along the text: the longer side, unless both are nearly equal."""
    angle = (degrees + 90) % 180 - 90  # -90 to 90
    if abs(angle) > 45:
        a, b, angle = b, a, angle - math.copysign(90, angle)
    if b > 1.5 * a:
        a, b, angle = b, a, angle + 90
    return Box(x, y, a, b, math.radians(angle))
