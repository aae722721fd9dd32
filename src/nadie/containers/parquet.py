"""Parquet, read and written batch by batch at any size; schema, row groups and compression are kept."""

from __future__ import annotations

import datetime
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO

from nadie.containers.base import Account, Container, Edits, OpenOptions, Uncovered
from nadie.containers.columns import SAMPLE_ROWS, choose
from nadie.containers.mapped import MappedText
from nadie.containers.source import Source
from nadie.errors import FormatError

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

_BATCH = 1024
_OWN_METADATA = frozenset({b"ARROW:schema", b"pandas", b"huggingface", b"PARQUET:field_id"})


@dataclass
class _Batch:
    """A batch of rows and the new values received for it so far."""

    rows: pa.RecordBatch
    group: int
    cells: dict[str, list[Any]]
    texts: list[tuple[int, MappedText[str]]] = field(default_factory=list)


class ParquetTable:
    """An open table; it holds one row group at a time, and the batches between `texts` and `write`."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        import pyarrow.parquet as pq

        self.account = Account()
        self._source = source
        self._batches: deque[_Batch] = deque()
        with source.open() as file, pq.ParquetFile(file) as table:
            self._schema: pa.Schema = table.schema_arrow
            self._metadata: pq.FileMetaData = table.metadata
            names = self._schema.names
            if len(set(names)) != len(names):
                raise FormatError("has two columns with the same name", where=source.where)
            first = next(table.iter_batches(batch_size=SAMPLE_ROWS), None)
        sample = _rows(first, self._flat(names)) if first is not None else []
        self._columns = choose(names, sample, options, source.where)
        for name in set(self._columns.labels) - set(self._flat(names)):
            if options.columns:
                raise FormatError(f"the column {name[:60]!r} does not have text, numbers or dates", where=source.where)
        self._chosen = [name for name in self._columns.labels if name in self._flat(names)]
        self.account.remarks.append(self._columns.remark())
        self.account.uncovered += [
            Uncovered(f"column {name[:60]!r}", f"of the type {self._schema.field(name).type}, not changed")
            for name in names
            if name not in self._flat(names)
        ]
        if set(self._schema.metadata or {}) - _OWN_METADATA:
            self.account.uncovered.append(Uncovered("metadata of the file", "not changed"))
        self.account.uncovered += [
            Uncovered(f"metadata of the column {each.name[:60]!r}", "not changed")
            for each in self._schema
            if set(each.metadata or {}) - _OWN_METADATA
        ]

    def texts(self) -> Iterator[MappedText[str]]:
        import pyarrow.parquet as pq

        number = 0
        with self._source.open() as file, pq.ParquetFile(file) as table:
            for group in range(table.num_row_groups):
                for rows in table.iter_batches(batch_size=_BATCH, row_groups=[group]):
                    batch = _Batch(rows, group, {name: rows.column(name).to_pylist() for name in self._chosen})
                    self._batches.append(batch)
                    for n, cells in enumerate(_rows(rows, [*self._chosen, *filter(None, [self._columns.patient])])):
                        number += 1
                        text = self._columns.text(cells, str(number))
                        if text.text:
                            batch.texts.append((n, text))
                            yield text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

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
        if edits is None:
            for name in self._chosen:
                batch.cells[name][row] = None
            return
        for segment, new in text.changes(edits):
            name = segment.address
            batch.cells[name][row] = typed(new, self._schema.field(name).type)

    def _replaced(self, batch: _Batch) -> _Batch:
        import pyarrow as pa

        rows = batch.rows
        for name in self._chosen:
            at, kind = rows.schema.get_field_index(name), rows.schema.field(name).type
            if pa.types.is_dictionary(kind):
                column = pa.array(batch.cells[name], kind.value_type).dictionary_encode().cast(kind)
            else:
                column = pa.array(batch.cells[name], kind)
            rows = rows.set_column(at, rows.schema.field(name), column)
        batch.rows = rows
        return batch

    def _flat(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if is_flat(self._schema.field(name).type)]

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
    from pyarrow import types

    if types.is_dictionary(kind):
        return is_flat(kind.value_type)
    return not types.is_nested(kind) and not types.is_binary(kind) and not types.is_large_binary(kind)


def typed(new: str, kind: pa.DataType) -> Any:
    """The replacement as a value of the column's type; null if impossible, such as a label in a column of dates."""
    from pyarrow import types

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


def _rows(batch: pa.RecordBatch, names: Sequence[str]) -> list[dict[str, str]]:
    columns = {name: batch.column(name).to_pylist() for name in names}
    return [
        {name: str(values[n]) for name, values in columns.items() if values[n] not in (None, "")}
        for n in range(batch.num_rows)
    ]


def _write_group(writer: pq.ParquetWriter, batches: Sequence[pa.RecordBatch], schema: pa.Schema) -> None:
    import pyarrow as pa

    table = pa.Table.from_batches(batches, schema)
    writer.write_table(table, row_group_size=max(1, table.num_rows))


class Parquet(Container):
    """`.parquet` files. Strings are searched as text; numbers and dates are replaced only in columns with a label."""

    name = "parquet"
    title = "a Parquet table"
    extra = "tables"
    opened = ParquetTable
