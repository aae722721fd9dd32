"""Places on a page: quadrilaterals around lines and characters, in pixels."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[Any]
"""Bytes: grey (H, W) or red, green, blue (H, W, 3)."""
Points = npt.NDArray[np.float32]
"""(N, 2) points, x before y."""


@dataclass(frozen=True, eq=False, slots=True)
class Box:
    """A rectangle in any direction: its centre, its length along the text, its height, and its angle in radians.

    The angle is that of the text: 0 from left to right, growing clockwise, as y grows downwards.
    """

    x: float
    y: float
    length: float
    height: float
    angle: float = 0.0

    @classmethod
    def upright(cls, left: float, top: float, right: float, bottom: float) -> Box:
        return cls((left + right) / 2, (top + bottom) / 2, right - left, bottom - top)

    def part(self, start: float, end: float) -> Box:
        """The part between two distances from the start of the box."""
        middle = (start + end) / 2 - self.length / 2
        x, y = self.x + middle * math.cos(self.angle), self.y + middle * math.sin(self.angle)
        return Box(x, y, end - start, self.height, self.angle)

    def grown(self, along: float, across: float) -> Box:
        """The box with that much more on each side."""
        return Box(self.x, self.y, self.length + 2 * along, self.height + 2 * across, self.angle)

    def corners(self) -> Points:
        """Start and end of the upper side, end and start of the lower side."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        a, b = self.length / 2, self.height / 2
        signs = ((-a, -b), (a, -b), (a, b), (-a, b))
        return np.array([(self.x + u * cos - v * sin, self.y + u * sin + v * cos) for u, v in signs], dtype=np.float32)

    def bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        points = self.corners()
        return (*points.min(axis=0).tolist(), *points.max(axis=0).tolist())


def cut_out(image: Image, box: Box, height: int) -> Image:
    """The pixels of a box, turned upright and scaled to a height."""
    width = max(4, round(box.length * height / max(box.height, 1.0)))
    corners = box.corners()
    target = np.array([(0, 0), (width, 0), (width, height)], dtype=np.float32)
    transform = cv2.getAffineTransform(corners[:3], target)
    shrinks = box.height > 1.5 * height
    if shrinks:  # the affine transform alone would skip pixels
        factor = height / box.height
        left, top, right, bottom = _inside(box, image)
        part = cv2.resize(image[top:bottom, left:right], None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        moved = (corners[:3] - np.array([left, top], dtype=np.float32)) * factor
        return _warped(part, cv2.getAffineTransform(moved.astype(np.float32), target), width, height)
    return _warped(image, transform, width, height)


def _warped(image: Image, transform: npt.NDArray[Any], width: int, height: int) -> Image:
    done = cv2.warpAffine(image, transform, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(done, dtype=np.uint8)


def _inside(box: Box, image: Image) -> tuple[int, int, int, int]:
    left, top, right, bottom = box.bounds()
    tall, wide = image.shape[:2]
    left, top = min(max(0, math.floor(left) - 2), wide - 1), min(max(0, math.floor(top) - 2), tall - 1)
    return (
        int(left),
        int(top),
        max(int(left) + 1, min(wide, math.ceil(right) + 2)),
        max(int(top) + 1, min(tall, math.ceil(bottom) + 2)),
    )


def mask_of(boxes: list[Box], shape: tuple[int, ...]) -> npt.NDArray[np.uint8]:
    """A mask (H, W) that is 255 in the boxes."""
    mask = np.zeros(shape[:2], dtype=np.uint8)
    for box in boxes:
        cv2.fillConvexPoly(mask, np.round(box.corners()).astype(np.int32), 255)
    return mask
