"""Parquet, read and written batch by batch at any size; schema, row groups and compression are kept."""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import types

from nadie.errors import FormatError
from nadie.files.container import Account, Edits, OpenOptions, Uncovered
from nadie.files.containers.tables import column_limits
from nadie.files.containers.tables.columns import choose, examined, named_in
from nadie.files.mapped import MappedText
from nadie.files.source import Source

_BATCH = 1024
_OWN_METADATA = frozenset({b"ARROW:schema", b"pandas", b"huggingface", b"PARQUET:field_id"})


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
        with source.open() as file, pq.ParquetFile(file) as table:
            self._schema: pa.Schema = _without_metadata(table.schema_arrow, self.account)
            self._metadata: pq.FileMetaData = table.metadata
            names = self._schema.names
            if len(set(names)) != len(names):
                raise FormatError("has two columns with the same name", where=source.where)
            first = next(table.iter_batches(batch_size=column_limits.LIMITS.sample_rows), None)
        self._flat = [name for name in names if is_flat(self._schema.field(name).type)]
        values = examined(row.items() for row in _rows(first, self._flat)) if first is not None else {}
        kept = [name for name in names if name not in self._flat and name in options.keep_columns]
        self._emptied = [name for name in names if name not in self._flat and name not in kept]
        if wrong := [name for name in self._emptied if name in named_in(options)]:
            raise FormatError(f"the column {wrong[0][:60]!r} does not have text, numbers or dates", where=source.where)
        others = tuple(name for name in options.keep_columns if name not in kept)
        self._columns = choose(self._flat, values, replace(options, keep_columns=others), source.where)
        self._columns.report(self.account, values)
        self.account.warnings += [f"the column {name[:60]!r} is kept and cannot be searched" for name in kept]
        self.account.uncovered += [
            Uncovered(f"column {name[:60]!r}", f"of the type {self._schema.field(name).type}, emptied")
            for name in self._emptied
        ]

    def texts(self) -> Iterator[MappedText[str]]:
        number = 0
        with self._source.open() as file, pq.ParquetFile(file) as table:
            for group in range(table.num_row_groups):
                for rows in table.iter_batches(batch_size=_BATCH, row_groups=[group]):
                    batch = _Batch(rows, group)
                    self._batches.append(batch)
                    for n, cells in enumerate(_rows(rows, self._flat)):
                        number += 1
                        text = self._columns.text(cells, str(number))
                        if text.text:
                            batch.texts.append((n, text))
                            yield text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        with pq.ParquetWriter(out, self._schema, compression=self._compression(), use_dictionary=True) as writer:
            done: list[_Batch] = []
            for batch in self._finished(edits):
                if done and done[0].group != batch.group:
                    _write_group(writer, [each.rows for each in done], self._schema)
                    done = []
                done.append(batch)
            if done:
                _write_group(writer, [each.rows for each in done], self._schema)
            elif not self._metadata.num_rows:
                writer.write_table(pa.Table.from_batches([], self._schema))

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
            each.path_in_schema: "NONE" if each.compression == "UNCOMPRESSED" else each.compression for each in columns
        }


def is_flat(kind: pa.DataType) -> bool:
    """Whether the values of a column are single strings, numbers or dates."""
    if types.is_dictionary(kind):
        return is_flat(kind.value_type)
    return not types.is_nested(kind) and not types.is_binary(kind) and not types.is_large_binary(kind)


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
            account.uncovered.append(Uncovered(f"metadata of the column {each.name[:60]!r}", "removed"))
        fields.append(each.with_metadata(own or None))
    own = {key: value for key, value in (schema.metadata or {}).items() if key in _OWN_METADATA}
    if len(own) < len(schema.metadata or {}):
        account.uncovered.append(Uncovered("metadata of the file", "removed"))
    return pa.schema(fields, metadata=own or None)


def _write_group(writer: pq.ParquetWriter, batches: Sequence[pa.RecordBatch], schema: pa.Schema) -> None:
    table = pa.Table.from_batches([batch.replace_schema_metadata(schema.metadata) for batch in batches]).cast(schema)
    writer.write_table(table, row_group_size=max(1, table.num_rows))
