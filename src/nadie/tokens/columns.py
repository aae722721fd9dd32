"""Tables in a text: which column the cell of a token belongs to.

Cells are separated by bars or semicolons, or by wide gaps (two spaces or more). A table is at least two lines of one
kind in a row. Its columns are counted where all lines have the same number of cells; otherwise cells belong to one
column where they stand above each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

import numpy as np

from nadie.tokens.arrays import APART, NEW_LINE, NEW_PARAGRAPH, Ints, TokenArrays

NO_COLUMN = 0
_GAPS = ""
_SEPARATORS = {"|": 2, ";": 3}
"""Signs that separate cells, and how many of them make a line of a table."""
_SHIFTED = 3
"""Characters by which the cells of a column may be shifted without standing above each other."""


@dataclass(frozen=True)
class _Line:
    """The cells of a line: the first and last token (exclusive) of each; `separator` is empty for gaps."""

    separator: str
    cells: tuple[tuple[int, int], ...]


def table_columns(texts: Sequence[str], reading: TokenArrays) -> tuple[Ints, Ints]:
    """(T,) the column of each token, counted from 1 in its text, or `NO_COLUMN`; (T,) the first token of its cell."""
    columns, firsts = np.zeros(len(reading), dtype=np.int64), np.arange(len(reading))
    for text, (begin, end) in zip(texts, pairwise(reading.bounds.tolist()), strict=True):
        spacing = reading.spacing[begin:end]
        if not (spacing == APART).any() and not any(text.count(sign) >= least for sign, least in _SEPARATORS.items()):
            continue
        known = NO_COLUMN
        lines = _lines(reading, begin, end)
        for separator, some in groupby(lines, key=lambda line: line.separator if len(line.cells) > 1 else None):
            table = list(some)
            if separator is None or len(table) < 2:
                continue
            for column, (first, last) in _placed(table, text, reading):
                columns[first:last] = known + 1 + column
                firsts[first:last] = first
            known = int(columns[begin:end].max())
    return columns, firsts


def _lines(reading: TokenArrays, begin: int, end: int) -> Iterator[_Line]:
    spacing = reading.spacing[begin:end]
    breaks = begin + np.flatnonzero((spacing == NEW_LINE) | (spacing == NEW_PARAGRAPH))
    gaps = (begin + np.flatnonzero(spacing == APART)).tolist()
    for first, last in pairwise([*breaks.tolist(), end]):
        forms = reading.forms[first:last]
        separator = next((sign for sign, least in _SEPARATORS.items() if forms.count(sign) >= least), _GAPS)
        if separator:
            cuts = [first - 1, *(first + i for i, form in enumerate(forms) if form == separator), last]
            cells = tuple((one + 1, other) for one, other in pairwise(cuts))
        else:
            inner = gaps[bisect_right(gaps, first) : bisect_left(gaps, last)]
            cells = tuple(pairwise([first, *inner, last]))
        yield _Line(separator, cells)


def _placed(table: Sequence[_Line], text: str, reading: TokenArrays) -> Iterator[tuple[int, tuple[int, int]]]:
    """Each cell that is not empty, with the number of its column in the table."""
    if table[0].separator or len({len(line.cells) for line in table}) == 1:
        for line in table:
            yield from ((number, cell) for number, cell in enumerate(line.cells) if cell[0] < cell[1])
        return
    known: list[tuple[int, int]] = []  # the characters of the first cell of each column
    for line in table:
        margin = text.rfind("\n", 0, int(reading.starts[line.cells[0][0]])) + 1
        for first, last in line.cells:
            place = int(reading.starts[first]) - margin, int(reading.ends[last - 1]) - margin
            column = max(range(len(known)), key=lambda i: _overlap(known[i], place), default=-1)
            if column < 0 or _overlap(known[column], place) <= -_SHIFTED:
                column = len(known)
                known.append(place)
            yield column, (first, last)


def _overlap(one: tuple[int, int], other: tuple[int, int]) -> int:
    """The number of characters that two stretches share; negative: the distance between them."""
    return min(one[1], other[1]) - max(one[0], other[0])
