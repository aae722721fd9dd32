"""polars: anonymize or annotate a column of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import polars

from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionOptions

SPANS = polars.List(
    polars.Struct(
        {
            "start": polars.Int32,
            "end": polars.Int32,
            "label": polars.String,
            "score": polars.Float64,
            "source": polars.String,
        }
    )
)


def anonymize(
    frame: polars.DataFrame, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> polars.DataFrame:
    """The frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are left out.
    """
    chosen = columns.Chosen.of(frame.columns, column, options.get("patient"), keep)
    pipeline = columns.ColumnOptions.of(**options).pipeline()
    patients = None if chosen.patient is None else frame[chosen.patient].to_list()
    cells = list(columns.anonymized(pipeline, _texts(frame, column), patients))
    new = [polars.Series(column, [cell.value for cell in cells], polars.String)]
    if chosen.replaced_patient is not None and patients is not None:
        replaced = columns.replaced_patients(pipeline, patients)
        new.append(polars.Series(chosen.replaced_patient, replaced, polars.String))
    new.append(polars.Series(columns.error_column(column), [cell.error for cell in cells], polars.String))
    return frame.select(chosen.names(frame.columns)).with_columns(*new)


def annotate(
    frame: polars.DataFrame, column: str, *, model: str = "fast", detection: DetectionOptions | None = None
) -> polars.DataFrame:
    """The frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    error, spans = columns.error_column(column), columns.spans_column(column)
    columns.check_columns(frame.columns, [column], [error, spans])
    options = columns.ColumnOptions.of(model, detection)
    cells = list(columns.annotated(options.pipeline(), _texts(frame, column)))
    return frame.with_columns(
        polars.Series(spans, [cell.value for cell in cells], SPANS),
        polars.Series(error, [cell.error for cell in cells], polars.String),
    )


def _texts(frame: polars.DataFrame, column: str) -> list[str | None]:
    kind = frame.schema[column]
    if kind not in (polars.String, polars.Categorical, polars.Enum):
        raise ConfigError(f"the column {column!r} is not text but {kind}")
    return frame[column].cast(polars.String).to_list()
