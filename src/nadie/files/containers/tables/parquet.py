"""Parquet, read and written batch by batch at any size; schema, row groups and compression are kept."""

from __future__ import annotations

import datetime
import os
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from pyarrow import types

from nadie.errors import FormatError
from nadie.files.container import Account, Edits, OpenOptions, Uncovered
from nadie.files.containers.tables import column_limits
from nadie.files.containers.tables.column_content import may_be_data
from nadie.files.containers.tables.columns import choose, examined, named_in
from nadie.files.mapped import MappedText
from nadie.files.source import Source

_BATCH = 1024
_MAX_BATCH = 256 * 1024 * 1024
"""The maximum size of a batch in memory."""
_MAX_CELLS = 50_000_000
"""Cells of a table of any file size; a larger table needs a byte of the file for `_CELLS_PER_BYTE` of them."""
_CELLS_PER_BYTE = 64
_OWN_METADATA = frozenset({b"ARROW:schema", b"PARQUET:field_id"})
_READ = (
    types.is_string, types.is_large_string, types.is_string_view, types.is_integer, types.is_floating,
    types.is_decimal, types.is_date, types.is_timestamp, types.is_time, types.is_duration, types.is_boolean,
    types.is_null,
)  # fmt: skip


@dataclass
class _Batch:
    """A batch of rows and the new values received for it so far, by column and row."""

    rows: pa.RecordBatch
    group: int
    texts: list[tuple[int, MappedText[str]]] = field(default_factory=list)
    news: dict[str, dict[int, Any]] = field(default_factory=dict)


class ParquetTable:
    """An open table; it holds one row group at a time, and the batches between `texts` and `write`."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._source = source
        self._batches: deque[_Batch] = deque()
        with source.open() as file, _table(file, source.where) as table:
            self._original: pa.Schema = pq.read_schema(file)
            self._schema: pa.Schema = _without_metadata(self._original, self.account)
            self._metadata: pq.FileMetaData = table.metadata
            names = self._schema.names
            if len(set(names)) != len(names):
                raise FormatError("has two columns with the same name", where=source.where)
            first = next(_batches(table, column_limits.LIMITS.sample_rows, self._original, source.where), None)
        self._new_names = {name: name for name in names}
        self._flat = [name for name in names if is_flat(self._schema.field(name).type)]
        values = examined(row.items() for row in _rows(first, self._flat)) if first is not None else {}
        kept = [name for name in names if name not in self._flat and name in options.keep_columns]
        self._emptied = [name for name in names if name not in self._flat and name not in kept]
        if wrong := [name for name in self._emptied if name in named_in(options)]:
            raise FormatError(f"the column {wrong[0][:60]!r} does not have text, numbers or dates", where=source.where)
        others = tuple(name for name in options.keep_columns if name not in kept)
        self._columns = choose(self._flat, values, replace(options, keep_columns=others), source.where)
        self._columns.report(self.account, values)
        self._head = self._columns.head(names, "names of columns", source.name)
        self.account.warnings += [f"the column {name[:60]!r} is kept and cannot be searched" for name in kept]
        self.account.uncovered += [
            Uncovered(f"column {_shown(name, names)}", f"of the type {_kind(self._schema.field(name).type)}, emptied")
            for name in self._emptied
        ]

    def texts(self) -> Iterator[MappedText[str]]:
        number = 0
        if self._head.text:
            yield self._head
        with self._source.open() as file, _table(file, self._source.where) as table:
            for group in range(table.num_row_groups):
                for rows in _batches(table, _BATCH, self._original, self._source.where, [group]):
                    batch = _Batch(rows, group)
                    self._batches.append(batch)
                    for n, cells in enumerate(_rows(rows, self._flat)):
                        number += 1
                        text = self._columns.text(cells, str(number))
                        if text.text:
                            batch.texts.append((n, text))
                            yield text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        if self._head.text:
            self._rename(next(edits))
        schema = self._written_schema()
        with pq.ParquetWriter(out, schema, compression=self._compression(), use_dictionary=True) as writer:
            done: list[_Batch] = []
            size = 0
            for batch in self._finished(edits):
                if done and (done[0].group != batch.group or size > _MAX_BATCH):
                    _write_group(writer, [each.rows for each in done], schema)
                    done, size = [], 0
                done.append(batch)
                size += batch.rows.get_total_buffer_size()
            if done:
                _write_group(writer, [each.rows for each in done], schema)
            elif not self._metadata.num_rows:
                writer.write_table(pa.Table.from_batches([], schema))

    def _rename(self, edits: Edits | None) -> None:
        """Set the new names of the columns; two never get the same."""
        changed = {s.address: new for s, new in self._head.changes(edits)} if edits is not None else {}
        unknown = {s.address: "" for s in self._head.segments} if edits is None else {}
        taken: set[str] = set()
        for number, name in enumerate(self._schema.names, start=1):
            new = (changed | unknown).get(name, name)
            self._new_names[name] = f"column {number}" if not new or new in taken else new
            taken.add(self._new_names[name])

    def _written_schema(self) -> pa.Schema:
        """The schema of the copy: new names, and no type for emptied columns whose fields may be named by persons."""
        fields = []
        for each in self._schema:
            is_named = each.name in self._emptied and any(map(may_be_data, _names_in(each.type)))
            kind = pa.null() if is_named else each.type
            fields.append(pa.field(self._new_names[each.name], kind, each.nullable or is_named, each.metadata))
        return pa.schema(fields, metadata=self._schema.metadata)

    def _finished(self, edits: Iterator[Edits | None]) -> Iterator[_Batch]:
        """The batches with their new values, in order, each as soon as all its edits are available."""
        at = 0
        for edit in edits:
            while self._batches and at >= len(self._batches[0].texts) and len(self._batches) > 1:
                yield self._replaced(self._batches.popleft())
                at = 0
            batch = self._batches[0]
            row, text = batch.texts[at]
            self._apply(batch, row, text, edit)
            at += 1
        while self._batches:
            yield self._replaced(self._batches.popleft())

    def _apply(self, batch: _Batch, row: int, text: MappedText[str], edits: Edits | None) -> None:
        changes = [(segment, None) for segment in text.segments] if edits is None else text.changes(edits)
        for segment, new in changes:
            kind = self._schema.field(segment.address).type
            batch.news.setdefault(segment.address, {})[row] = None if new is None else typed(new, kind)

    def _replaced(self, batch: _Batch) -> _Batch:
        rows = batch.rows
        for name in (*batch.news, *self._emptied):
            at, kind = rows.schema.get_field_index(name), rows.schema.field(name).type
            if name in self._emptied:
                column = pa.nulls(rows.num_rows, kind)
            else:
                cells = rows.column(name).to_pylist()
                for row, new in batch.news[name].items():
                    cells[row] = new
                column = _array(cells, kind)
            rows = rows.set_column(at, rows.schema.field(name), column)
        batch.rows = rows
        return batch

    def _compression(self) -> dict[str, str] | str:
        if not self._metadata.num_row_groups:
            return "snappy"
        group = self._metadata.row_group(0)
        columns = [group.column(n) for n in range(group.num_columns)]
        return {
            self._new_path(each.path_in_schema): "NONE" if each.compression == "UNCOMPRESSED" else each.compression
            for each in columns
        }

    def _new_path(self, path: str) -> str:
        name, dot, rest = path.partition(".")
        return path if path in self._new_names and not dot else f"{self._new_names.get(name, name)}{dot}{rest}"


def is_flat(kind: pa.DataType) -> bool:
    """Whether the values of a column are single strings, numbers or dates, which are read; no other type is."""
    if types.is_dictionary(kind):
        return is_flat(kind.value_type)
    return any(is_of_kind(kind) for is_of_kind in _READ)


def typed(new: str, kind: pa.DataType) -> Any:
    """The replacement as a value of the column's type; null if impossible, such as a label in a column of dates."""
    kind = kind.value_type if types.is_dictionary(kind) else kind
    try:
        if types.is_integer(kind):
            return int(new)
        if types.is_floating(kind):
            return float(new)
        if types.is_date(kind):
            return datetime.date.fromisoformat(new[:10])
        if types.is_timestamp(kind):
            return datetime.datetime.fromisoformat(new)
    except ValueError:
        return None
    return new if types.is_string(kind) or types.is_large_string(kind) else None


def _array(cells: list[Any], kind: pa.DataType) -> pa.Array:
    if pa.types.is_dictionary(kind):  # without the values that were replaced
        return pa.array(cells, kind.value_type).dictionary_encode().cast(kind)
    return pa.array(cells, kind)


@contextmanager
def _table(file: BinaryIO, where: str) -> Iterator[pq.ParquetFile]:
    """The table in a file. One whose few bytes stand for a large number of cells is refused."""
    with pq.ParquetFile(file) as table:
        cells = table.metadata.num_rows * max(1, table.metadata.num_columns)
        size = file.seek(0, os.SEEK_END)
        if cells > max(_MAX_CELLS, size * _CELLS_PER_BYTE):
            raise FormatError("has far more cells than a file of its size can have", where=where)
    with pq.ParquetFile(file, read_dictionary=_strings(table.schema_arrow)) as table:
        yield table


def _strings(schema: pa.Schema) -> list[str]:
    """The columns of strings, which are read as dictionaries: a long string that repeats is held once."""
    return [each.name for each in schema if types.is_string(each.type) or types.is_large_string(each.type)]


def _batches(
    table: pq.ParquetFile, rows: int, schema: pa.Schema, where: str, groups: Sequence[int] | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows in batches, with strings as strings. A batch that would be too large is refused before it is made."""
    for batch in table.iter_batches(batch_size=rows, row_groups=groups):
        size = sum(_size(column) for column in batch.columns)
        if size > _MAX_BATCH:
            raise FormatError(f"has {rows} rows that unpack to more than {_MAX_BATCH} bytes", where=where)
        yield batch.cast(schema)


def _size(column: pa.Array) -> int:
    """The size of a column with each string spelled out."""
    if not types.is_dictionary(column.type):
        return int(column.get_total_buffer_size())
    if not types.is_string(column.type.value_type) and not types.is_large_string(column.type.value_type):
        return int(column.get_total_buffer_size())
    lengths = pc.take(pc.binary_length(column.dictionary), column.indices)
    return int(pc.sum(lengths).as_py() or 0)


def _shown(name: str, names: Sequence[str]) -> str:
    """The name of a column for the summary, or its number if it may be a person's."""
    return str(names.index(name) + 1) if may_be_data(name) else repr(name[:60])


def _kind(kind: pa.DataType) -> str:
    """A type for the summary, without the names of the fields inside it."""
    return str(kind) if not any(map(may_be_data, _names_in(kind))) else str(kind).partition("<")[0]


def _names_in(kind: pa.DataType) -> Iterator[str]:
    """The names of the fields inside a nested type."""
    for number in range(kind.num_fields):
        inner = kind.field(number)
        yield inner.name
        yield from _names_in(inner.type)


def _rows(batch: pa.RecordBatch, names: Sequence[str]) -> list[dict[str, str]]:
    columns = {name: _cells(batch.column(name)) for name in names}
    return [
        {name: str(values[n]) for name, values in columns.items() if values[n] not in (None, "")}
        for n in range(batch.num_rows)
    ]


def _cells(column: pa.Array) -> list[Any]:
    """The values of a column. A single-precision number is read with the digits that it has: 5.6, not 5.599999904."""
    if types.is_float32(column.type) or types.is_float16(column.type):
        column = column.cast("string")
    return list(column.to_pylist())


def _without_metadata(schema: pa.Schema, account: Account) -> pa.Schema:
    """The schema without the metadata of its author, which are not searched."""
    fields = []
    for each in schema:
        own = {key: value for key, value in (each.metadata or {}).items() if key in _OWN_METADATA}
        if len(own) < len(each.metadata or {}):
            account.uncovered.append(Uncovered(f"metadata of the column {_shown(each.name, schema.names)}", "removed"))
        fields.append(each.with_metadata(own or None))
    own = {key: value for key, value in (schema.metadata or {}).items() if key in _OWN_METADATA}
    if len(own) < len(schema.metadata or {}):
        account.uncovered.append(Uncovered("metadata of the file", "removed"))
    return pa.schema(fields, metadata=own or None)


def _write_group(writer: pq.ParquetWriter, batches: Sequence[pa.RecordBatch], schema: pa.Schema) -> None:
    table = pa.Table.from_batches(batches).replace_schema_metadata(schema.metadata)
    for number, each in enumerate(schema):
        if types.is_null(each.type):
            table = table.set_column(number, each, pa.nulls(table.num_rows))
    table = table.rename_columns(schema.names).cast(schema)
    writer.write_table(table, row_group_size=max(1, table.num_rows))
