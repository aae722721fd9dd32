"""Tables in JSON lines: one object per line, read and written line by line at any size; all else is unchanged.

The columns are the top-level names of the objects. In a chosen column all strings are searched, at any depth.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from nadie.containers.base import Account, Container, Edits, OpenOptions
from nadie.containers.columns import SAMPLE_ROWS, Columns, choose
from nadie.containers.json_tree import Leaf, leaves, spelled
from nadie.containers.mapped import MappedText, TextBuilder
from nadie.containers.raw import Range, replaced
from nadie.containers.source import Source
from nadie.errors import FormatError
from nadie.formats.files import encode


class _Row(NamedTuple):
    raw: str
    leaves: list[Leaf]


class JsonlRows:
    """An open table. Rows are queued between `texts` and `write`."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._waiting: deque[tuple[str, MappedText[Range] | None]] = deque()
        sample = [_by_column(row) for row, _ in zip(self._rows(), range(SAMPLE_ROWS), strict=False)]
        names = list(dict.fromkeys(name for cells in sample for name in cells))
        self._columns: Columns = choose(names, sample, options, source.where)
        self._is_chosen_by_hand = bool(options.columns)
        self._known = frozenset(names)
        self.account.remarks.append(self._columns.remark())

    def texts(self) -> Iterator[MappedText[Range]]:
        for number, row in enumerate(self._rows(), start=1):
            text = self._text(row, str(number))
            self._waiting.append((row.raw, text if text.text else None))
            if text.text:
                yield text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        for edit in edits:
            self._write_untouched(out)
            raw, text = self._waiting.popleft()
            if text is not None:
                out.write(encode(_changed(raw, text, edit), self._source.where))
        self._write_untouched(out)

    def _write_untouched(self, out: BinaryIO) -> None:
        while self._waiting and self._waiting[0][1] is None:
            out.write(encode(self._waiting.popleft()[0], self._source.where))

    def _text(self, row: _Row, name: str) -> MappedText[Range]:
        builder: TextBuilder[Range] = TextBuilder()
        patient = ""
        for leaf in row.leaves:
            column = str(leaf.path[0])
            if column == self._columns.patient:
                patient = leaf.text
            # A column that first appears after the sample was not examined: it counts as free text.
            is_new = not self._is_chosen_by_hand and column not in self._known
            if column in self._columns.labels or is_new:
                label = self._columns.labels.get(column)
                if leaf.is_string or (label and leaf.text not in ("true", "false", "null")):
                    builder.cut()
                    builder.add(leaf.text, (leaf.start, leaf.end), label)
        return builder.build(name, {"patient": patient.strip()} if self._columns.patient else None)

    def _rows(self) -> Iterator[_Row]:
        for number, raw in self._source.lines():
            yield _Row(raw, _object(raw, self._source.where, number) if raw.strip("\ufeff \t\r\n") else [])


def _object(raw: str, where: str, number: int) -> list[Leaf]:
    mark = 1 if raw.startswith("\ufeff") else 0
    try:
        found = list(leaves(raw[mark:]))
    except ValueError:
        found = []
    if not found or any(not leaf.path or not isinstance(leaf.path[0], str) for leaf in found):
        if raw[mark:].strip() != "{}":
            raise FormatError("the line is not a JSON object", where=where, line=number)
        return []
    return [leaf._replace(start=leaf.start + mark, end=leaf.end + mark) for leaf in found]


def _by_column(row: _Row) -> dict[str, str]:
    cells: dict[str, str] = {}
    for leaf in row.leaves:
        column = str(leaf.path[0])
        if leaf.text and leaf.text != "null":
            cells[column] = f"{cells[column]} {leaf.text}" if column in cells else leaf.text
        else:
            cells.setdefault(column, "")
    return cells


def _changed(raw: str, text: MappedText[Range], edits: Edits | None) -> str:
    """The line with its new values; without edits they are emptied. A number that stays a number is written as one."""
    changes = [(segment, "") for segment in text.segments] if edits is None else text.changes(edits)
    return replaced(raw, [(*segment.address, _spelled(raw, segment.address, new)) for segment, new in changes])


def _spelled(raw: str, place: Range, new: str) -> str:
    if raw.startswith('"', place[0]):
        return spelled(new)
    is_number = new.isascii() and new.isdigit() and (new == "0" or not new.startswith("0"))
    return new if is_number else spelled(new)


class JsonlTable(Container):
    """`.jsonl` and `.ndjson` files that are neither documents of nadie nor FHIR."""

    name = "jsonl-table"
    title = "a table in JSON lines"
    opened = JsonlRows
