"""Shapes drawn on a page: which look like letters, and how much of the page a pattern with an image fills."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from nadie.files.containers.pdf.geometry import Matrix, moved, number

MAX_SHAPES = 20_000
"""Shapes of a page that are examined; a page with more is a map or a plot."""
_STROKES = frozenset({"S", "s"})
_FILLS = frozenset({"f", "F", "f*", "B", "B*", "b", "b*"})
OPERATORS = frozenset({"m", "l", "c", "v", "y", "re", "n"}) | _STROKES | _FILLS
_HEIGHTS = (2.5, 80.0)  # points
_FEWEST = 5  # a run of shapes on one line, as long as a short name
_CURVED = 0.4  # the share of letters with curves; the bars of a chart have none


class Shape(NamedTuple):
    """The bounds of one closed line, and whether it has curves."""

    left: float
    low: float
    right: float
    high: float
    is_curved: bool

    @property
    def height(self) -> float:
        return self.high - self.low


class Path:
    """The path under construction: the points of each of its lines, in page coordinates."""

    def __init__(self) -> None:
        self._lines: list[tuple[list[tuple[float, float]], bool]] = []

    def take(self, name: str, operands: Sequence[Any], ctm: Matrix) -> list[Shape]:
        """Take one operator; if it paints, return the shapes painted and begin a new path."""
        if name == "m" or name == "re":
            self._lines.append(([], False))
        if name in ("m", "l", "c", "v", "y", "re") and self._lines:
            values = [number(value) for value in operands]
            if name == "re":
                x, y, width, height = values
                values = [x, y, x + width, y + height]
            points, is_curved = self._lines[-1]
            points += [moved(ctm, *values[at : at + 2])[4:] for at in range(0, len(values) - 1, 2)]
            self._lines[-1] = points, is_curved or name in "cvy"
            return []
        painted = [] if name == "n" else [_bounds(points, is_curved) for points, is_curved in self._lines if points]
        if name == "n" or name in _STROKES or name in _FILLS:
            self._lines = []
        return painted


def area_of(shapes: Iterable[Shape]) -> float:
    return sum((shape.right - shape.left) * shape.height for shape in shapes)


def letters_in(shapes: Sequence[Shape]) -> int:
    """The number of shapes that look like letters: runs along a line, of similar heights, many of them with curves."""
    count, run = 0, list[Shape]()
    for shape in shapes:
        if run and _is_inside(shape, run[-1]):  # the hole of an `o`
            continue
        if not (run and _follows(shape, run[-1])):
            count += _letters(run)
            run = []
        if _HEIGHTS[0] < shape.height < _HEIGHTS[1] and shape.right - shape.left < 2.5 * shape.height:
            run.append(shape)
    return count + _letters(run)


def _letters(run: Sequence[Shape]) -> int:
    is_text = len(run) >= _FEWEST and sum(shape.is_curved for shape in run) >= _CURVED * len(run)
    return len(run) if is_text else 0


def _follows(shape: Shape, before: Shape) -> bool:
    tall = max(shape.height, before.height)
    overlap = min(shape.high, before.high) - max(shape.low, before.low)
    is_on_line = overlap > 0.3 * min(shape.height, before.height)
    is_next = before.left - 0.3 * tall <= shape.left <= before.right + 1.5 * tall
    return is_on_line and is_next and 0.25 < shape.height / max(before.height, 0.01) < 4


def _is_inside(shape: Shape, outer: Shape) -> bool:
    return (
        shape.left >= outer.left and shape.right <= outer.right and shape.low >= outer.low and shape.high <= outer.high
    )


def _bounds(points: Sequence[tuple[float, float]], is_curved: bool) -> Shape:
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return Shape(min(xs), min(ys), max(xs), max(ys), is_curved)
