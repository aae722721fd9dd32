"""CSV and TSV, read and written record by record at any size; text that is not replaced keeps its bytes and quotes."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from nadie.errors import FormatError
from nadie.files.container import Account, Container, Edits, OpenOptions
from nadie.files.containers.raw import replaced
from nadie.files.containers.tables.columns import Columns, choose, examined, is_name, named_in
from nadie.files.mapped import MappedText
from nadie.files.recognition import sniffed
from nadie.files.source import Source

_CHUNK = 1 << 16
_MOST = 1 << 24  # maximum number of characters of a record
_DELIMITERS = (";", ",", "\t", "|")
_QUOTED = r'"(?:[^"]++|"")*+"'
_QUOTED_FIELD = re.compile(rf"(?:(?<=[;,\t|\r\n])|\A) *{_QUOTED}")


class Csv(Container):
    """A table whose first record has the names of the columns, with `;`, `,`, tab or `|` between the fields."""

    name = "csv"
    title = "a CSV table"
    unit = "row"
    suffixes = (".csv", ".tsv", ".tab")

    def open(self, source: Source, options: OpenOptions) -> CsvTable:
        with source.open() as file:
            encoding, mark = sniffed(file, source.where)
        return CsvTable(source, options, encoding, mark)


class CsvField(NamedTuple):
    """One field: its range in the record, including quotes and the spaces around them, and its value."""

    start: int
    end: int
    value: str
    is_quoted: bool


class CsvRecord(NamedTuple):
    """One record as it is in the file, including its line end."""

    raw: str
    fields: list[CsvField]


class CsvTable:
    """An open table. Records are queued between `texts` and `write`, which both pass through the file once."""

    def __init__(self, source: Source, options: OpenOptions, encoding: str, mark: int) -> None:
        self.account = Account()
        self._source = source
        self._encoding = encoding
        self._waiting: deque[tuple[CsvRecord, MappedText[str] | None]] = deque()
        self._mark = b""
        with source.open() as file:
            self._mark = file.read(mark)
            head = _Records(file, encoding, source.where)
            self._delimiter = head.delimiter
            self._preamble = head.preamble
            first = [field.value.strip() for field in next(filter(_has_fields, head), CsvRecord("", [])).fields]
            if any(first.count(name) > 1 for name in named_in(options)):
                raise FormatError("has two columns with the same name", where=source.where)
            self._has_head = bool(named_in(options)) or all(map(is_name, first))
            self._head = [name for name in first if name] if self._has_head else []
            self._names = list(_unique(first if self._has_head else [""] * len(first)))
            values = examined(self._cells(record).items() for record in head)
        self._columns: Columns = choose(self._names, values, options, source.where)
        self._columns.report(self.account, values)
        if not self._has_head:
            self.account.remarks.append("its first record is data, not the names of columns")
        if encoding == "cp1252":
            self.account.remarks.append("Windows-1252")

    def texts(self) -> Iterator[MappedText[str]]:
        with self._source.open() as file:
            file.seek(len(self._mark))
            records = _Records(file, self._encoding, self._source.where)
            waits_for_head = self._has_head
            for number, record in enumerate(records, start=1):
                if waits_for_head and _has_fields(record):
                    text, waits_for_head = self._columns.head(self._head, "1", self._source.name), False
                else:
                    text = self._columns.text(self._cells(record), str(number))
                self._waiting.append((record, text if text.text else None))
                if text.text:
                    yield text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        out.write(self._mark + self._preamble.encode(self._encoding))
        for edit in edits:
            self._write_untouched(out)
            record, text = self._waiting.popleft()
            if text is not None:
                out.write(self._changed(record, text, edit).encode(self._encoding))
        self._write_untouched(out)

    def _write_untouched(self, out: BinaryIO) -> None:
        while self._waiting and self._waiting[0][1] is None:
            out.write(self._waiting.popleft()[0].raw.encode(self._encoding))

    def _changed(self, record: CsvRecord, text: MappedText[str], edits: Edits | None) -> str:
        """The record with its new values; without edits, all fields of the text are emptied."""
        changed = [(segment, "") for segment in text.segments] if edits is None else text.changes(edits)
        news = {segment.address: new for segment, new in changed}
        changes = [
            (field.start, field.end, self._quoted(news[name], was_quoted=field.is_quoted))
            for name, field in self._named(record)
            if name in news
        ]
        return replaced(record.raw, changes)

    def _quoted(self, value: str, *, was_quoted: bool) -> str:
        if was_quoted or any(c in value for c in (self._delimiter, '"', "\n", "\r")):
            return '"' + value.replace('"', '""') + '"'
        return value

    def _cells(self, record: CsvRecord) -> dict[str, str]:
        return {name: field.value for name, field in self._named(record) if field.value}

    def _named(self, record: CsvRecord) -> Iterator[tuple[str, CsvField]]:
        """The fields with the names of their columns; a field beyond the last column is in a column without a name."""
        more = (f"column {number}" for number in range(len(self._names) + 1, len(record.fields) + 1))
        return zip((*self._names, *more), record.fields, strict=False)


def _has_fields(record: CsvRecord) -> bool:
    """Whether it is not a blank line, as some programs write above the names of the columns."""
    return bool(record.fields)


class _Records(Iterator[CsvRecord]):
    """The records of a file, one after the other."""

    def __init__(self, file: BinaryIO, encoding: str, where: str) -> None:
        self._text = io.TextIOWrapper(file, encoding=encoding, newline="")
        self._where = where
        self._buffer = self._text.read(_CHUNK)
        self._at = 0
        self._ended = not self._buffer
        declared = re.match(r"sep=(.)(?:\r\n|\n|\r)", self._buffer)
        self.preamble = declared[0] if declared else ""
        self._at = len(self.preamble)
        self.delimiter = declared[1] if declared else self._guessed()
        mark = re.escape(self.delimiter)
        self._field = re.compile(rf"( *{_QUOTED} *|[^{mark}\"\r\n][^{mark}\r\n]*+|)({mark}|\r\n|\n|\r|\Z)")

    def __next__(self) -> CsvRecord:
        while True:
            if (record := self._parsed()) is not None:
                return record
            if self._ended:
                raise FormatError("ends inside a quoted field, or has text after one", where=self._where)
            self._grow()

    def _grow(self) -> None:
        rest = self._buffer[self._at :]
        if len(rest) > _MOST:
            raise FormatError(f"has a record of more than {_MOST} characters", where=self._where)
        more = self._text.read(max(_CHUNK, len(rest)))
        self._ended = not more
        self._buffer, self._at = rest + more, 0

    def _parsed(self) -> CsvRecord | None:
        """The record at the current position, or None if the buffer ends before it does."""
        start = at = self._at
        if self._ended and at >= len(self._buffer):
            raise StopIteration
        fields: list[CsvField] = []
        while match := self._field.match(self._buffer, at):
            is_last = match.end() == len(self._buffer) and match[2] != self.delimiter
            if is_last and not self._ended and not match[2].endswith("\n"):
                return None
            fields.append(CsvField(match.start(1) - start, match.end(1) - start, *_value(match[1])))
            at = match.end()
            if match[2] != self.delimiter:
                self._at = at
                raw = self._buffer[start:at]
                return CsvRecord(raw, fields) if raw.strip("\r\n") else CsvRecord(raw, [])
        return None

    def _guessed(self) -> str:
        """The sign that is most often between the fields of the first record; quoted fields may have several lines."""
        line = re.split(r"[\r\n]", _QUOTED_FIELD.sub("", self._buffer[self._at :].lstrip("\r\n")), maxsplit=1)[0]
        return max(_DELIMITERS, key=line.count)


def _value(raw: str) -> tuple[str, bool]:
    """The value of a field, and whether it is quoted."""
    bare = raw.strip(" ")
    is_quoted = len(bare) > 1 and bare.startswith('"') and bare.endswith('"')
    return (bare[1:-1].replace('""', '"') if is_quoted else raw), is_quoted


def _unique(names: Sequence[str]) -> Iterator[str]:
    """The names of the columns: a column without one is called by its number, and so is one whose name is taken."""
    taken: set[str] = set()
    for number, name in enumerate(names, start=1):
        yield name if name and name not in taken else f"column {number}"
        taken.add(name)
