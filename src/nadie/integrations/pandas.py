"""pandas: anonymize or annotate a column of a DataFrame."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Unpack

import pandas

from nadie.integrations import columns
from nadie.options import DetectionArguments


def anonymize(
    frame: pandas.DataFrame, column: str, *, keep: Sequence[str] = (), **options: Unpack[columns.ColumnArguments]
) -> pandas.DataFrame:
    """A copy of the frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `options` are the keyword arguments of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    those about detection. The columns of `keep` stay as they are, the patient's column is replaced, and all others are
    left out.
    """
    names = [*frame.columns, *(name for name in frame.index.names if name is not None)]
    chosen = columns.Chosen.of(names, column, options.get("patient"), keep)
    pipeline = columns.ColumnOptions.of(**options).pipeline()
    frame = _with_plain_index(frame, chosen.keep)[chosen.names(frame.columns)]
    patients = None if chosen.patient is None else frame[chosen.patient].tolist()
    new = columns.anonymized_columns(pipeline, chosen, _texts(frame[column]), patients)
    types = {column: frame[column].dtype} if isinstance(frame[column].dtype, pandas.StringDtype) else {}
    return frame.assign(**{name: pandas.Series(new[name], frame.index, types.get(name, "object")) for name in new})


def annotate(
    frame: pandas.DataFrame, column: str, *, model: str = "fast", **detection: Unpack[DetectionArguments]
) -> pandas.DataFrame:
    """A copy of the frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    options = columns.ColumnOptions.for_annotation(list(frame.columns), column, model, **detection)
    new = columns.annotated_columns(options.pipeline(), column, _texts(frame[column]))
    return frame.assign(**{name: pandas.Series(new[name], frame.index, "object") for name in new})


def _with_plain_index(frame: pandas.DataFrame, keep: tuple[str, ...]) -> pandas.DataFrame:
    """The frame with row numbers in place of an index that may be data: not of integers, or named and not kept."""
    index = frame.index
    names = [name for name in index.names if name is not None]
    is_kept = bool(names) and set(names) <= set(keep)
    is_number = not names and index.nlevels == 1 and pandas.api.types.is_integer_dtype(index.dtype)
    return frame if is_kept or is_number else frame.reset_index(drop=True)


def _texts(series: pandas.Series) -> list[str | None]:
    return [None if is_empty else text for text, is_empty in zip(series, series.isna(), strict=True)]
