"""pandas: anonymize or annotate a column of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import pandas

from nadie.integrations import columns
from nadie.options import DetectionOptions


def anonymize(
    frame: pandas.DataFrame, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> pandas.DataFrame:
    """A copy of the frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are left out.
    """
    names = [*frame.columns, *(name for name in frame.index.names if name is not None)]
    chosen = columns.Chosen.of(names, column, options.get("patient"), keep)
    pipeline = columns.ColumnOptions.of(**options).pipeline()
    frame = _with_plain_index(frame, chosen.keep)[chosen.names(frame.columns)]
    patients = None if chosen.patient is None else frame[chosen.patient].tolist()
    cells = list(columns.anonymized(pipeline, _texts(frame[column]), patients))
    new = {column: pandas.Series([cell.value for cell in cells], frame.index, _text_type(frame[column]))}
    if chosen.replaced_patient is not None and patients is not None:
        replaced = columns.replaced_patients(pipeline, patients)
        new[chosen.replaced_patient] = pandas.Series(replaced, frame.index, "object")
    errors = pandas.Series([cell.error for cell in cells], frame.index, "object")
    return frame.assign(**new, **{columns.error_column(column): errors})


def annotate(
    frame: pandas.DataFrame, column: str, *, model: str = "fast", detection: DetectionOptions | None = None
) -> pandas.DataFrame:
    """A copy of the frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    error, spans = columns.error_column(column), columns.spans_column(column)
    columns.check_columns(list(frame.columns), [column], [error, spans])
    options = columns.ColumnOptions.of(model, detection)
    cells = list(columns.annotated(options.pipeline(), _texts(frame[column])))
    return frame.assign(
        **{
            spans: pandas.Series([cell.value for cell in cells], index=frame.index, dtype="object"),
            error: pandas.Series([cell.error for cell in cells], index=frame.index, dtype="object"),
        }
    )


def _with_plain_index(frame: pandas.DataFrame, keep: tuple[str, ...]) -> pandas.DataFrame:
    """The frame with row numbers in place of an index that may be data: not of integers, or named and not kept."""
    index = frame.index
    names = [name for name in index.names if name is not None]
    is_kept = bool(names) and set(names) <= set(keep)
    is_number = not names and index.nlevels == 1 and pandas.api.types.is_integer_dtype(index.dtype)
    return frame if is_kept or is_number else frame.reset_index(drop=True)


def _texts(series: pandas.Series) -> list[str | None]:
    return [None if is_empty else text for text, is_empty in zip(series, series.isna(), strict=True)]


def _text_type(series: pandas.Series) -> object:
    return series.dtype if isinstance(series.dtype, pandas.StringDtype) else "object"
