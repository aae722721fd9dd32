"""Hugging Face `datasets`: anonymize or annotate a column of a Dataset with `map`, in any number of processes."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

from datasets import Dataset, Features, Value

from nadie.anonymize.secret import Secret
from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionArguments

_TYPES = {int: "int32", float: "float64", str: "string"}
SPANS = [{name: Value(_TYPES[of]) for name, of in columns.SPAN_FIELDS.items()}]

Batch = Mapping[str, list[Any]]


def anonymize(
    dataset: Dataset,
    column: str,
    *,
    patient: str | None = None,
    keep: Sequence[str] = (),
    policy: str | os.PathLike[str] = "default",
    key: Path | None = None,
    model: str = "fast",
    **options: Any,
) -> Dataset:
    """The dataset with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `patient` is the column that identifies the patient of each row, which is replaced too. `keep` are the columns that
    stay as they are; all others are left out. `key` is the path of a key file, by default `$NADIE_KEY`: a `Secret` is
    refused, because `map` writes its function to its cache, and so are known identities and denied terms that are not
    in a file. `options` are those about detection of `nadie.load`, and those of `Dataset.map`, such as `num_proc`.
    """
    chosen = columns.Chosen.of(dataset.column_names, column, patient, keep)
    if isinstance(key, Secret):
        raise ConfigError("the key must be the Path of a key file: a Secret would be written to the cache of `map`")
    detection, map_options = _split(options)
    chosen_options = columns.ColumnOptions.of(model, policy, key, patient, **detection)
    texts = filter(None, (column, chosen.replaced_patient, columns.error_column(column)))
    kept = dataset.select_columns(chosen.names(dataset.column_names))
    return _mapped(
        kept, partial(_anonymized, chosen, chosen_options), {name: Value("string") for name in texts}, map_options
    )


def annotate(
    dataset: Dataset,
    column: str,
    *,
    model: str = "fast",
    **options: Any,
) -> Dataset:
    """The dataset with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    detection, map_options = _split(options)
    chosen = columns.ColumnOptions.for_annotation(dataset.column_names, column, model, **detection)
    new = {columns.spans_column(column): SPANS, columns.error_column(column): Value("string")}
    return _mapped(dataset, partial(_annotated, column, chosen), new, map_options)


def _split(options: Mapping[str, Any]) -> tuple[DetectionArguments, dict[str, Any]]:
    """The options about detection, and those of `map`."""
    names = DetectionArguments.__annotations__
    for name in ("known", "deny"):
        if not isinstance(options.get(name), str | os.PathLike | None):
            raise ConfigError(f"{name} must be the name of a file: a list would be written to the cache of `map`")
    detection = {name: value for name, value in options.items() if name in names}
    return cast(DetectionArguments, detection), {n: value for n, value in options.items() if n not in names}


def _mapped(
    dataset: Dataset, function: Callable[[Batch], Batch], new: Mapping[str, Any], map_options: Mapping[str, Any]
) -> Dataset:
    """The result of `map` with declared types, because a first batch without values would not determine them."""
    return dataset.map(function, batched=True, features=Features({**dataset.features, **new}), **map_options)


def _anonymized(chosen: columns.Chosen, options: columns.ColumnOptions, batch: Batch) -> Batch:
    patients = None if chosen.patient is None else batch[chosen.patient]
    return columns.anonymized_columns(columns.pipeline_of_worker(options), chosen, batch[chosen.column], patients)


def _annotated(column: str, options: columns.ColumnOptions, batch: Batch) -> Batch:
    return columns.annotated_columns(columns.pipeline_of_worker(options), column, batch[column])
