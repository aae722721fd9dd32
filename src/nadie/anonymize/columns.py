"""Columns of fixed width in plain text: a replacement takes or leaves spaces, so that the next column stays in place.

The layout shows a column if the cell after the value begins where a cell of a line nearby begins.
"""

from __future__ import annotations

import re

from nadie.document import Span

_GAP = re.compile(r" {2,120}(?=\S)| {1,120}(?=\|)")
_NEAR = 3  # lines
_LONGEST_LINE = 400


def fitted(text: str, span: Span, new: str) -> tuple[int, str]:
    """How many of the spaces after the span a longer replacement takes, and the replacement with those it lacks."""
    change = len(new) - len(span)
    gap = _GAP.match(text, span.end) if change and "\n" not in new else None
    if gap is None or not _is_column(text, gap.end()):
        return 0, new
    if change < 0:
        return 0, new + " " * -change
    free = len(gap.group()) - (text[gap.end()] != "|")
    return min(change, free), new


def _is_column(text: str, place: int) -> bool:
    """Whether a line nearby has a cell that begins in the same column of the text."""
    start = text.rfind("\n", max(0, place - _LONGEST_LINE), place) + 1
    column = place - start
    if start == 0 and column > _LONGEST_LINE:
        return False
    end = text.find("\n", place, place + _LONGEST_LINE)
    before = text[max(0, start - _NEAR * _LONGEST_LINE) : max(0, start - 1)].split("\n")[-_NEAR:] if start else []
    after = text[end + 1 : end + 1 + _NEAR * _LONGEST_LINE].split("\n")[:_NEAR] if end >= 0 else []
    return any(_begins_cell(line, column) for line in (*before, *after))


def _begins_cell(line: str, column: int) -> bool:
    if len(line) <= column or line[column] == " ":
        return False
    return line[column] == "|" or (column > 1 and line[column - 2 : column] == "  ")
