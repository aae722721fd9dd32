"""Arrow: anonymize or annotate a column of a pyarrow Table or RecordBatch. Spark uses these batches too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeVar, Unpack

import pyarrow as pa

from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionArguments
from nadie.run.pipeline import Pipeline

_TYPES = {int: pa.int32(), float: pa.float64(), str: pa.string()}
SPANS = pa.list_(pa.struct([(name, _TYPES[of]) for name, of in columns.SPAN_FIELDS.items()]))

Table = TypeVar("Table", pa.Table, pa.RecordBatch)


def anonymize(
    table: Table, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> Table:
    """The table with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    those about detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are
    left out.
    """
    chosen = columns.Chosen.of(table.column_names, column, options.get("patient"), keep)
    return anonymized(table, chosen, columns.ColumnOptions.of(**options).pipeline())


def annotate(table: Table, column: str, *, model: str = "fast", **detection: Unpack[DetectionArguments]) -> Table:
    """The table with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    options = columns.ColumnOptions.for_annotation(table.column_names, column, model, **detection)
    return annotated(table, column, options.pipeline())


def anonymized(table: Table, chosen: columns.Chosen, pipeline: Pipeline) -> Table:
    """Like `anonymize`, with a pipeline that is already loaded."""
    patients = None if chosen.patient is None else table.column(chosen.patient).to_pylist()
    new = columns.anonymized_columns(pipeline, chosen, _texts(table, chosen.column), patients)
    text_type = table.schema.field(chosen.column).type
    types = {chosen.column: text_type} if pa.types.is_large_string(text_type) else {}
    # The metadata describe the columns that are left out, too.
    return _with_columns(table.select(chosen.names(table.column_names)).replace_schema_metadata(None), new, types)


def annotated(table: Table, column: str, pipeline: Pipeline) -> Table:
    """Like `annotate`, with a pipeline that is already loaded."""
    new = columns.annotated_columns(pipeline, column, _texts(table, column))
    return _with_columns(table, new, {columns.spans_column(column): SPANS})


def _texts(table: Any, column: str) -> list[str | None]:
    found = table.schema.field(column).type
    if pa.types.is_dictionary(found):
        found = found.value_type
    if not (pa.types.is_string(found) or pa.types.is_large_string(found) or pa.types.is_string_view(found)):
        raise ConfigError(f"the column {column!r} is not text but {found}")
    return list(table.column(column).to_pylist())


def _with_columns(table: Table, new: Mapping[str, list[Any]], types: Mapping[str, pa.DataType]) -> Table:
    """The table with these columns, in place of those with the same names or after all others."""
    for name, values in new.items():
        array = pa.array(values, types.get(name, pa.string()))
        if name in table.column_names:
            table = table.set_column(table.column_names.index(name), name, array)
        else:
            table = table.append_column(name, array)
    return table
