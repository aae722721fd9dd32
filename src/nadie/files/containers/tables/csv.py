"""CSV and TSV, read and written record by record at any size; text that is not replaced keeps its bytes and quotes."""

from __future__ import annotations

import io
import re
from collections import deque
from collections.abc import Iterator
from typing import BinaryIO, NamedTuple

from nadie.errors import FormatError
from nadie.files.container import Account, Container, Edits, OpenOptions
from nadie.files.containers.raw import replaced
from nadie.files.containers.tables.columns import Columns, choose, examined
from nadie.files.mapped import MappedText
from nadie.files.recognition import sniffed
from nadie.files.source import Source

_CHUNK = 1 << 16
_MOST = 1 << 24  # maximum number of characters of a record
_DELIMITERS = (";", ",", "\t", "|")
_QUOTED = r'"(?:[^"]++|"")*+"'


class Csv(Container):
    """A table whose first record has the names of the columns, with `;`, `,`, tab or `|` between the fields."""

    name = "csv"
    title = "a CSV table"
    suffixes = (".csv", ".tsv", ".tab")

    def open(self, source: Source, options: OpenOptions) -> CsvTable:
        with source.open() as file:
            encoding, mark = sniffed(file, source.where)
        return CsvTable(source, options, encoding, mark)


class CsvField(NamedTuple):
    """One field: its range in the record, including quotes, and its value."""

    start: int
    end: int
    value: str


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
            first = [field.value.strip() for field in next(head, CsvRecord("", [])).fields]
            self._head = [name for name in first if name]
            self._names = [name or f"column {number}" for number, name in enumerate(first, start=1)]
            values = examined(self._cells(record).items() for record in head)
        self._columns: Columns = choose(self._names, values, options, source.where)
        self._columns.report(self.account, values)
        if encoding == "cp1252":
            self.account.remarks.append("Windows-1252")

    def texts(self) -> Iterator[MappedText[str]]:
        with self._source.open() as file:
            file.seek(len(self._mark))
            records = _Records(file, self._encoding, self._source.where)
            for number, record in enumerate(records, start=1):
                if number == 1:
                    text = self._columns.head(self._head, "1", self._source.name)
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
        by_name = zip(self._names, record.fields, strict=False)
        changes = [
            (field.start, field.end, self._quoted(news[name], was_quoted=record.raw.startswith('"', field.start)))
            for name, field in by_name
            if name in news
        ]
        return replaced(record.raw, changes)

    def _quoted(self, value: str, *, was_quoted: bool) -> str:
        if was_quoted or any(c in value for c in (self._delimiter, '"', "\n", "\r")):
            return '"' + value.replace('"', '""') + '"'
        return value

    def _cells(self, record: CsvRecord) -> dict[str, str]:
        if len(record.fields) > len(self._names):
            raise FormatError("a record has more fields than the table has columns", where=self._source.where)
        return {name: field.value for name, field in zip(self._names, record.fields, strict=False) if field.value}


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
        self._field = re.compile(rf"({_QUOTED}|[^{mark}\"\r\n][^{mark}\r\n]*+|)({mark}|\r\n|\n|\r|\Z)")

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
            fields.append(CsvField(match.start(1) - start, match.end(1) - start, _value(match[1])))
            at = match.end()
            if match[2] != self.delimiter:
                self._at = at
                raw = self._buffer[start:at]
                return CsvRecord(raw, fields) if raw.strip("\r\n") else CsvRecord(raw, [])
        return None

    def _guessed(self) -> str:
        line = re.sub(_QUOTED, "", re.split(r"[\r\n]", self._buffer, maxsplit=1)[0])
        return max(_DELIMITERS, key=line.count)


def _value(raw: str) -> str:
    return raw[1:-1].replace('""', '"') if raw.startswith('"') else raw
