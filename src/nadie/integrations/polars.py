"""polars: anonymize or annotate a column of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import polars

from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionArguments

_TYPES = {int: polars.Int32, float: polars.Float64, str: polars.String}
SPANS = polars.List(polars.Struct({name: _TYPES[of] for name, of in columns.SPAN_FIELDS.items()}))


def anonymize(
    frame: polars.DataFrame, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> polars.DataFrame:
    """The frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    those about detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are
    left out.
    """
    chosen = columns.Chosen.of(frame.columns, column, options.get("patient"), keep)
    pipeline = columns.ColumnOptions.of(**options).pipeline()
    patients = None if chosen.patient is None else frame[chosen.patient].to_list()
    new = columns.anonymized_columns(pipeline, chosen, _texts(frame, column), patients)
    series = (polars.Series(name, values, polars.String) for name, values in new.items())
    return frame.select(chosen.names(frame.columns)).with_columns(*series)


def annotate(
    frame: polars.DataFrame, column: str, *, model: str = "fast", **detection: Unpack[DetectionArguments]
) -> polars.DataFrame:
    """The frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    options = columns.ColumnOptions.for_annotation(frame.columns, column, model, **detection)
    new = columns.annotated_columns(options.pipeline(), column, _texts(frame, column))
    types = {columns.spans_column(column): SPANS}
    return frame.with_columns(polars.Series(name, new[name], types.get(name, polars.String)) for name in new)


def _texts(frame: polars.DataFrame, column: str) -> list[str | None]:
    data_type = frame.schema[column]
    if data_type not in (polars.String, polars.Categorical, polars.Enum):
        raise ConfigError(f"the column {column!r} is not text but {data_type}")
    return frame[column].cast(polars.String).to_list()
