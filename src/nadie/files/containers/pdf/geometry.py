"""PDF matrices: (a, b, c, d, e, f)."""

from __future__ import annotations

import math
from collections.abc import Iterable

Matrix = tuple[float, float, float, float, float, float]
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
LARGEST = 1e7
"""The maximum coordinate: no page is larger, so the file is damaged."""


def times(m: Matrix, n: Matrix) -> Matrix:
    """The product: apply `m`, then `n`."""
    a, b, c, d, e, f = m
    g, h, i, j, k, o = n
    return (a * g + b * i, a * h + b * j, c * g + d * i, c * h + d * j, e * g + f * i + k, e * h + f * j + o)


def moved(m: Matrix, x: float, y: float) -> Matrix:
    """Translate by (x, y) in the space of `m`."""
    a, b, c, d, e, f = m
    return (a, b, c, d, x * a + y * c + e, x * b + y * d + f)


def matrix(values: Iterable[object]) -> Matrix:
    a, b, c, d, e, f = (number(value) for value in values)
    return (a, b, c, d, e, f)


def number(value: object) -> float:
    """A finite number within the limit of a page; any other value means that the file is damaged."""
    found = float(value)  # type: ignore[arg-type]
    if not math.isfinite(found) or abs(found) > LARGEST:
        raise ValueError("a number beyond the size of any page")
    return found


def onto(box: list[float], inner: Matrix, target: list[float]) -> Matrix:
    """The matrix for drawing an annotation's appearance: it maps the transformed box to the rectangle."""
    corners = [moved(inner, x, y)[4:] for x in (box[0], box[2]) for y in (box[1], box[3])]
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    low, high = min(y for _, y in corners), max(y for _, y in corners)
    x0, x1 = sorted((target[0], target[2]))
    y0, y1 = sorted((target[1], target[3]))
    sx = (x1 - x0) / (right - left) if right > left else 1.0
    sy = (y1 - y0) / (high - low) if high > low else 1.0
    return (sx, 0.0, 0.0, sy, x0 - left * sx, y0 - low * sy)
