"""Spark: anonymize or annotate a column of a DataFrame on the cluster, in Arrow batches.

The key is never part of the job: each Python worker reads it from a file or from its environment. Surrogates and shifts
depend only on the key, so they are consistent over the cluster and between runs. Plans, logs and the web page of Spark
show only the names of a function and of columns. nadie must be installed on every machine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Unpack

from pyspark.sql.types import ArrayType, DoubleType, IntegerType, StringType, StructField, StructType

from nadie.errors import ConfigError
from nadie.integrations import columns
from nadie.options import DetectionArguments

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

_TYPES = {int: IntegerType(), float: DoubleType(), str: StringType()}
SPANS = ArrayType(StructType([StructField(name, _TYPES[of]) for name, of in columns.SPAN_FIELDS.items()]))


def anonymize(
    frame: DataFrame, column: str, *, keep: Sequence[str] = (), **arguments: Unpack[columns.ColumnArguments]
) -> DataFrame:
    """The frame with the column's texts anonymized, and `COLUMN_error` with the reason if a text is missing.

    `arguments` are those of `nadie.integrations.columns.ColumnArguments`: patient, policy, key, model and
    those about detection.
    The columns of `keep` stay as they are, the patient's column is replaced, and all others are left out.
    `key` is the path of a key file that every worker can read, never a secret; by default the key is in the workers'
    environment variable `NADIE_KEY`.
    """
    key = arguments.get("key")
    chosen = columns.Chosen.of(frame.columns, column, arguments.get("patient"), keep)
    if key is not None and not isinstance(key, Path):
        raise ConfigError("the key must be the Path of a key file on every worker: a job must not contain the key")
    options = columns.ColumnOptions.of(**arguments)
    names, texts = chosen.names(frame.columns), (column, chosen.replaced_patient)
    fields = [field for field in _checked(frame, column) if field.name in names]
    changed = [StructField(field.name, StringType()) if field.name in texts else field for field in fields]
    schema = StructType([*changed, StructField(columns.error_column(column), StringType())])
    return frame.select(*names).mapInArrow(partial(_anonymized, chosen, options), schema)


def annotate(
    frame: DataFrame, column: str, *, model: str = "fast", **detection: Unpack[DetectionArguments]
) -> DataFrame:
    """The frame with `COLUMN_spans`, lists of spans, and `COLUMN_error`."""
    options = columns.ColumnOptions.for_annotation(frame.columns, column, model, **detection)
    spans, error = columns.spans_column(column), columns.error_column(column)
    schema = StructType([*_checked(frame, column), StructField(spans, SPANS), StructField(error, StringType())])
    return frame.mapInArrow(partial(_annotated, column, options), schema)


def _checked(frame: DataFrame, column: str) -> list[StructField]:
    if not isinstance(frame.schema[column].dataType, StringType):
        raise ConfigError(f"the column {column!r} is not text but {frame.schema[column].dataType.simpleString()}")
    return list(frame.schema.fields)


def _anonymized(
    chosen: columns.Chosen, options: columns.ColumnOptions, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    from nadie.integrations import arrow

    pipeline = columns.pipeline_of_worker(options)
    return (arrow.anonymized(batch, chosen, pipeline) for batch in batches)


def _annotated(
    column: str, options: columns.ColumnOptions, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    from nadie.integrations import arrow

    pipeline = columns.pipeline_of_worker(options)
    return (arrow.annotated(batch, column, pipeline) for batch in batches)
