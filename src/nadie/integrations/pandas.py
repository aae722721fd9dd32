"""pandas: anonymize or annotate a column of a DataFrame."""

from __future__ import annotations

from typing import Unpack

import pandas

from nadie.integrations import columns
from nadie.options import DetectionOptions


def anonymize(frame: pandas.DataFrame, column: str, **options: Unpack[columns.ColumnArguments]) -> pandas.DataFrame:
    """A copy of the frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    detection.
    """
    error, patient = columns.error_column(column), options.get("patient")
    columns.check_columns(list(frame.columns), column, patient, [error])
    patients = None if patient is None else frame[patient].tolist()
    cells = list(columns.anonymized(columns.ColumnOptions.of(**options).pipeline(), _texts(frame[column]), patients))
    return frame.assign(
        **{
            column: pandas.Series([cell.value for cell in cells], index=frame.index, dtype=_text_type(frame[column])),
            error: pandas.Series([cell.error for cell in cells], index=frame.index, dtype="object"),
        }
    )


def annotate(
    frame: pandas.DataFrame, column: str, *, model: str = "fast", detection: DetectionOptions | None = None
) -> pandas.DataFrame:
    """A copy of the frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    error, spans = columns.error_column(column), columns.spans_column(column)
    columns.check_columns(list(frame.columns), column, None, [error, spans])
    options = columns.ColumnOptions.of(model, detection)
    cells = list(columns.annotated(options.pipeline(), _texts(frame[column])))
    return frame.assign(
        **{
            spans: pandas.Series([cell.value for cell in cells], index=frame.index, dtype="object"),
            error: pandas.Series([cell.error for cell in cells], index=frame.index, dtype="object"),
        }
    )


def _texts(series: pandas.Series) -> list[str | None]:
    return [None if is_empty else text for text, is_empty in zip(series, series.isna(), strict=True)]


def _text_type(series: pandas.Series) -> object:
    return series.dtype if isinstance(series.dtype, pandas.StringDtype) else "object"
