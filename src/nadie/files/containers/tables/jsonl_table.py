"""Tables in JSON lines: one object per line, read and written line by line at any size; all else is unchanged.

The columns are the paths of the values: `nota`, `paciente.nhc`. The elements of a list are in one column.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from nadie.errors import FormatError
from nadie.files.container import Account, Container, Edits, OpenOptions
from nadie.files.containers.markup.json_tree import Leaf, leaves, number_or_string, parse, spelled
from nadie.files.containers.raw import Range, replaced
from nadie.files.containers.tables.column_content import may_be_data
from nadie.files.containers.tables.columns import Columns, choose, examined, is_name, under
from nadie.files.disk import encode
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source

_AFTER_NAME = re.compile(r"\s*:")
_CONSTANTS = ("", "true", "false", "null")


class _Row(NamedTuple):
    """A line, its values, and the names in it that may be data."""

    raw: str
    leaves: list[Leaf]
    names: list[tuple[str, Range]]


class JsonlRows:
    """An open table. Rows are queued between `texts` and `write`."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._waiting: deque[tuple[str, MappedText[Range] | None]] = deque()
        values = examined(((_column(leaf), leaf.text) for leaf in row.leaves) for row in self._rows())
        self._columns: Columns = choose(list(values), values, under(options, list(values)), source.where)
        self._columns.report(self.account, values)

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
        for column, bounds in row.names:
            if (field := self._columns.field_of_name(column)) is not None:
                builder.cut()
                builder.add(column, bounds, *field)
        for leaf in row.leaves:
            column = _column(leaf)
            if column == self._columns.patient:
                patient = leaf.text
            if leaf.text not in _CONSTANTS and (field := self._columns.field(column, leaf.text)) is not None:
                builder.cut()
                builder.add(leaf.text, (leaf.start, leaf.end), *field)
        return builder.build(name, {"patient": patient.strip()} if self._columns.patient else None)

    def _rows(self) -> Iterator[_Row]:
        for number, raw in self._source.lines():
            found = _object(raw, self._source.where, number) if raw.strip("\ufeff \t\r\n") else []
            yield _Row(raw, found, list(_names(raw, found)))


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
    if not all(is_name(part) for leaf in found for part in leaf.path if isinstance(part, str)):
        raise FormatError("an object has data in place of a name", where=where, line=number)
    return [leaf._replace(start=leaf.start + mark, end=leaf.end + mark) for leaf in found]


def _names(raw: str, found: list[Leaf]) -> Iterator[tuple[str, Range]]:
    if not any(may_be_data(part) for leaf in found for part in leaf.path if isinstance(part, str)):
        return
    mark = 1 if raw.startswith("\ufeff") else 0
    stack = [parse(raw[mark:])]
    while stack:
        node = stack.pop()
        stack += reversed(node.items)
        if node.name_start >= 0 and may_be_data(node.name):
            start = node.name_start + mark
            yield node.name, (start, len(raw[: raw.rindex(":", start, node.start + mark)].rstrip()))


def _column(leaf: Leaf) -> str:
    return ".".join(part for part in leaf.path if isinstance(part, str))


def _changed(raw: str, text: MappedText[Range], edits: Edits | None) -> str:
    """The line with its new values; without edits they are emptied. A number that stays a number is written as one."""
    changes = [(segment, "") for segment in text.segments] if edits is None else text.changes(edits)
    done: list[tuple[int, int, str]] = []
    names: Counter[str] = Counter()
    for segment, new in changes:
        if _AFTER_NAME.match(raw, segment.address[1]):
            names[new] += 1
            new = f"{new} ({names[new]})" if names[new] > 1 else new  # two names in one object must differ
        done.append((*segment.address, _spelled(raw, segment.address, new)))
    return replaced(raw, done)


def _spelled(raw: str, bounds: Range, new: str) -> str:
    return spelled(new) if raw.startswith('"', bounds[0]) else number_or_string(new)


class JsonlTable(Container):
    """`.jsonl` and `.ndjson` files that are neither documents of nadie nor FHIR."""

    name = "jsonl-table"
    title = "a table in JSON lines"
    unit = "row"
    opened = JsonlRows
