"""The pieces of a page in reading order: lines from top to bottom, cells separated by tabs, columns one by one."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from statistics import median

from nadie.files.containers.pdf.pieces import PdfPiece
from nadie.files.mapped import TextBuilder

PieceAddress = tuple[PdfPiece, ...]
"""The address of a text: the piece, and its duplicates, which are drawn over it for bold type or a shadow."""

_WORD_GAP = 0.17  # fractions of the height of the letters
_CELL_GAP = 1.8
_LINE_SLACK = 0.4
_DOUBLE = 0.25
_MOST_DOUBLES = 20
_PARAGRAPH_GAP = 1.9
_MIN_COLUMN_LINES = 4
_MIN_COLUMN_LETTERS = 20
_MAX_COLUMN_LINES = 300
_SHARE_AT_EDGE = 0.7


@dataclass(eq=False)
class _Item:
    """A piece in the coordinates of its own direction: `x` along the line, `y` across, upwards."""

    piece: PdfPiece
    x: float
    y: float
    end: float
    doubles: list[PdfPiece] = field(default_factory=list)


@dataclass
class _Line:
    """The pieces on one base line, and its cells: ranges without a wide gap."""

    items: list[_Item]
    y: float
    em: float

    @cached_property
    def cells(self) -> list[list[_Item]]:
        cells: list[list[_Item]] = []
        end = -math.inf
        for item in self.items:
            if cells and item.x - end <= _CELL_GAP * max(item.piece.em, self.em / 2):
                cells[-1].append(item)
            else:
                cells.append([item])
            end = max(end, item.end)
        return cells


def add_lines(builder: TextBuilder[PieceAddress], pieces: list[PdfPiece]) -> None:
    """Add the text of a page or a stream to the builder, separately for each direction."""
    by_angle: dict[int, list[PdfPiece]] = {}
    for piece in pieces:
        by_angle.setdefault(piece.angle, []).append(piece)
    for angle in sorted(by_angle, key=lambda each: -len(by_angle[each])):
        builder.cut("\n\n")
        _add(builder, _lines(_items(by_angle[angle], angle)))


def _items(pieces: list[PdfPiece], angle: int) -> Iterator[_Item]:
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    for piece in pieces:
        x, y = piece.start
        end_x, end_y = piece.end
        yield _Item(piece, x * cos + y * sin, y * cos - x * sin, end_x * cos + end_y * sin)


def _lines(items: Iterator[_Item]) -> list[_Line]:
    """Base lines from top to bottom; raised letters as in `Mª` belong to the line of the others."""
    lines: list[_Line] = []
    for item in sorted(items, key=lambda each: (-each.y, each.x)):
        em = item.piece.em
        if lines and lines[-1].y - item.y <= _LINE_SLACK * max(em, 0.1):
            lines[-1].items.append(item)
            lines[-1].em = max(lines[-1].em, em)
        else:
            lines.append(_Line([item], item.y, em))
    for line in lines:
        line.items = _without_doubles(sorted(line.items, key=lambda each: each.x))
    return lines


def _without_doubles(items: list[_Item]) -> list[_Item]:
    """The items of a line, in order; duplicates drawn on top of an item are merged into it."""
    kept: list[_Item] = []
    for item in items:
        first = next((each for each in _just_before(item, kept) if _is_double(item, each)), None)
        if first is not None:
            first.doubles.append(item.piece)
        else:
            kept.append(item)
    return kept


def _just_before(item: _Item, kept: list[_Item]) -> Iterator[_Item]:
    slack = _DOUBLE * item.piece.em
    for each in reversed(kept[-_MOST_DOUBLES:]):
        if item.x - each.x >= slack:
            return
        yield each


def _is_double(item: _Item, first: _Item) -> bool:
    is_near = item.x - first.x < (item.end - item.x) / 2  # unlike the second letter of `ll`
    return is_near and item.piece.text == first.piece.text and bool(item.piece.text.strip())


def _add(builder: TextBuilder[PieceAddress], lines: list[_Line]) -> None:
    at = 0
    while at < len(lines):
        gutter = _columns(lines, at)
        if gutter is None:
            _add_line(builder, lines, at, lines[at].cells)
            at += 1
            continue
        end, middle = gutter
        for on_left in (True, False):
            side = [[i for i in line.items if (i.x < middle) is on_left] for line in lines[at:end]]
            column = [_Line(items, line.y, line.em) for items, line in zip(side, lines[at:end], strict=True) if items]
            for n, line in enumerate(column):
                _add_line(builder, column, n, line.cells)
            builder.cut("\n\n")
        at = end


def _add_line(builder: TextBuilder[PieceAddress], lines: list[_Line], at: int, cells: list[list[_Item]]) -> None:
    is_far = at > 0 and lines[at - 1].y - lines[at].y > _PARAGRAPH_GAP * max(lines[at].em, lines[at - 1].em)
    builder.cut("\n\n" if is_far else "\n")
    for cell in cells:
        builder.cut("\t")
        gap = _word_gap(cell)
        for n, item in enumerate(cell):
            is_far = n > 0 and item.x - cell[n - 1].end > gap * max(item.piece.em, 0.1)
            if is_far and not (cell[n - 1].piece.text[-1:].isspace() or item.piece.text[:1].isspace()):
                builder.cut(" ")
            builder.add(item.piece.text, (item.piece, *item.doubles))


def _word_gap(cell: list[_Item]) -> float:
    """The minimum gap between words, as a fraction of the height; letters shown one by one may be spaced evenly."""
    gaps = [
        (item.x - before.end) / max(item.piece.em, 0.1)
        for before, item in pairwise(cell)
        if len(item.piece.text) == len(before.piece.text) == 1
    ]
    if len(gaps) < 4 or len(gaps) < 0.6 * (len(cell) - 1):
        return _WORD_GAP
    return max(_WORD_GAP, 1.6 * median(gaps))


def _columns(lines: list[_Line], start: int) -> tuple[int, float] | None:
    """The end of a block of two text columns that begins at a line, and the middle of the gap between them.

    Keys and values of a table are not columns: both sides must have long lines, as in running text.
    """
    gap = (-math.inf, math.inf)
    end = start
    for line in lines[start : start + _MAX_COLUMN_LINES]:
        narrowed = _narrowed(gap, line.cells)
        if narrowed is None:
            break
        gap = narrowed
        end += 1
    if not math.isfinite(gap[0] + gap[1]):
        return None
    middle = (gap[0] + gap[1]) / 2
    cells = [cell for line in lines[start:end] for cell in line.cells]
    sides = [[cell for cell in cells if (cell[0].x < middle) is on_left] for on_left in (True, False)]
    return (end, middle) if all(_is_prose(side) for side in sides) else None


def _is_prose(cells: list[list[_Item]]) -> bool:
    """Whether the lines of a column are long, and most begin at its left edge."""
    if len(cells) < _MIN_COLUMN_LINES:
        return False
    letters = sum(len(item.piece.text) for cell in cells for item in cell)
    edge = min(cell[0].x for cell in cells)
    at_edge = sum(cell[0].x - edge <= cell[0].piece.em for cell in cells)
    return letters >= _MIN_COLUMN_LETTERS * len(cells) and at_edge >= _SHARE_AT_EDGE * len(cells)


def _narrowed(gap: tuple[float, float], cells: list[list[_Item]]) -> tuple[float, float] | None:
    """The gap between the columns narrowed by another line; None if the line has no gap there."""
    starts = [cell[0].x for cell in cells]
    ends = [max(item.end for item in cell) for cell in cells]
    low, high = gap
    if len(cells) == 2:
        low, high = max(low, ends[0]), min(high, starts[1])
    elif len(cells) == 1 and math.isfinite(low + high):
        middle = (low + high) / 2
        if ends[0] <= middle:
            low = max(low, ends[0])
        elif starts[0] >= middle:
            high = min(high, starts[0])
        else:
            return None
    else:
        return None
    return (low, high) if high > low else None
