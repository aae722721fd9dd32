"""Hugging Face `datasets`: anonymize or annotate a column of a Dataset with `map`, in any number of processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from datasets import Dataset, Features, Value

from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionOptions

SPANS = [
    {
        "start": Value("int32"),
        "end": Value("int32"),
        "label": Value("string"),
        "score": Value("float64"),
        "source": Value("string"),
    }
]

Batch = Mapping[str, list[Any]]


def anonymize(
    dataset: Dataset,
    column: str,
    *,
    patient: str | None = None,
    policy: str | os.PathLike[str] = "default",
    key: Path | None = None,
    model: str = "fast",
    detection: DetectionOptions | None = None,
    **map_options: Any,
) -> Dataset:
    """The dataset with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `patient` is the column that identifies the patient of each row. `key` is the path of a key file, by default
    `$NADIE_KEY`: a `Secret` is refused, because `map` writes its function to its cache. `map_options` are those of
    `Dataset.map`, such as `num_proc` and `batch_size`.
    """
    error = columns.error_column(column)
    columns.check_columns(dataset.column_names, column, patient, [error])
    if isinstance(key, Secret):
        raise ConfigError("the key must be the Path of a key file: a Secret would be written to the cache of `map`")
    options = columns.ColumnOptions.of(model, detection, policy, key, patient)
    function = partial(_anonymized, column, patient, options)
    return _mapped(dataset, function, {column: Value("string"), error: Value("string")}, map_options)


def annotate(
    dataset: Dataset,
    column: str,
    *,
    model: str = "fast",
    detection: DetectionOptions | None = None,
    **map_options: Any,
) -> Dataset:
    """The dataset with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    error, spans = columns.error_column(column), columns.spans_column(column)
    columns.check_columns(dataset.column_names, column, None, [error, spans])
    function = partial(_annotated, column, columns.ColumnOptions.of(model, detection))
    return _mapped(dataset, function, {spans: SPANS, error: Value("string")}, map_options)


def _mapped(
    dataset: Dataset, function: Callable[[Batch], Batch], new: Mapping[str, Any], map_options: Mapping[str, Any]
) -> Dataset:
    """The result of `map` with declared types, because a first batch without values would not determine them."""
    return dataset.map(function, batched=True, features=Features({**dataset.features, **new}), **map_options)


def _anonymized(column: str, patient: str | None, options: columns.ColumnOptions, batch: Batch) -> Batch:
    patients = None if patient is None else batch[patient]
    cells = list(columns.anonymized(columns.pipeline_of_worker(options), batch[column], patients))
    return {column: [cell.value for cell in cells], columns.error_column(column): [cell.error for cell in cells]}


def _annotated(column: str, options: columns.ColumnOptions, batch: Batch) -> Batch:
    cells = list(columns.annotated(columns.pipeline_of_worker(options), batch[column]))
    return {
        columns.spans_column(column): [cell.value for cell in cells],
        columns.error_column(column): [cell.error for cell in cells],
    }
