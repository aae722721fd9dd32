"""Hugging Face `datasets`: a column of a Dataset, anonymized or annotated by `map`, in any number of processes."""

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
    """The dataset with the column's texts anonymized, and `COLUMN_error` with why a text is missing.

    `patient` is the column that tells each row's patient. `key` is the path of a key file, else `$NADIE_KEY` has it: a
    `Secret` is refused, because `map` writes what it calls into its cache. `map_options` are those of `Dataset.map`,
    such as `num_proc` and `batch_size`.
    """
    error = columns.error_column(column)
    columns.check_columns(dataset.column_names, column, patient, [error])
    if isinstance(key, Secret):
        raise ConfigError("the key is the Path of a key file: a Secret would be written into the cache of `map`")
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
    """What `map` gives, with types told beforehand: a first batch without a value would not tell them."""
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
