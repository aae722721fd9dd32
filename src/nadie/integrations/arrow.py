"""Arrow: anonymize or annotate a column of a pyarrow Table or RecordBatch. Spark uses these batches too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar, Unpack

import pyarrow as pa

from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionOptions
from nadie.run.pipeline import Pipeline

SPANS = pa.list_(
    pa.struct(
        [
            ("start", pa.int32()),
            ("end", pa.int32()),
            ("label", pa.string()),
            ("score", pa.float64()),
            ("source", pa.string()),
        ]
    )
)

Table = TypeVar("Table", pa.Table, pa.RecordBatch)


def anonymize(
    table: Table, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> Table:
    """The table with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are left out.
    """
    chosen = columns.Chosen.of(table.column_names, column, options.get("patient"), keep)
    return anonymized(table, chosen, columns.ColumnOptions.of(**options).pipeline())


def annotate(table: Table, column: str, *, model: str = "fast", detection: DetectionOptions | None = None) -> Table:
    """The table with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    new = [columns.error_column(column), columns.spans_column(column)]
    columns.check_columns(table.column_names, [column], new)
    return annotated(table, column, columns.ColumnOptions.of(model, detection).pipeline())


def anonymized(table: Table, chosen: columns.Chosen, pipeline: Pipeline) -> Table:
    """Like `anonymize`, with a pipeline that is already loaded."""
    column, patient = chosen.column, chosen.patient
    patients = None if patient is None else table.column(patient).to_pylist()
    cells = list(columns.anonymized(pipeline, _texts(table, column), patients))
    kind = table.schema.field(column).type
    values = pa.array([cell.value for cell in cells], kind if pa.types.is_large_string(kind) else pa.string())
    # The metadata describe the columns that are left out, too.
    table = table.select(chosen.names(table.column_names)).replace_schema_metadata(None)
    table = table.set_column(table.column_names.index(column), column, values)
    if chosen.replaced_patient is not None and patients is not None:
        replaced = pa.array(columns.replaced_patients(pipeline, patients), pa.string())
        table = table.set_column(table.column_names.index(patient), patient, replaced)
    return _with_errors(table, column, cells)


def annotated(table: Table, column: str, pipeline: Pipeline) -> Table:
    """Like `annotate`, with a pipeline that is already loaded."""
    cells = list(columns.annotated(pipeline, _texts(table, column)))
    values = pa.array([cell.value for cell in cells], SPANS)
    return _with_errors(table.append_column(columns.spans_column(column), values), column, cells)


def _texts(table: Any, column: str) -> list[str | None]:
    kind = table.schema.field(column).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if not (pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind)):
        raise ConfigError(f"the column {column!r} is not text but {kind}")
    return list(table.column(column).to_pylist())


def _with_errors(table: Table, column: str, cells: list[columns.NewCell]) -> Table:
    return table.append_column(columns.error_column(column), pa.array([cell.error for cell in cells], pa.string()))
