"""A column of texts in a table of any library: texts in, new texts or spans out, or an error.

Naming the column with the texts does not publish the others: an anonymized table has only the texts, the patient's
column with its values replaced, and the columns that the caller keeps.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, Unpack

from nadie.anonymize.policy import GivenPolicy, Policy, given_policy, read_policy
from nadie.anonymize.secret import Key, Secret, given_key
from nadie.document import FIELD, Document, Span
from nadie.errors import ConfigError, Failure
from nadie.labels import Label
from nadie.options import DetectionArguments, DetectionOptions
from nadie.run.documents import RunOptions, handled
from nadie.run.pipeline import Pipeline, batches

KEY = "NADIE_KEY"
"""The environment variable with the key, if none is given."""

SPAN_FIELDS = {"start": int, "end": int, "label": str, "score": float, "source": str}
"""The fields of a span in a cell, with their types."""

T = TypeVar("T")
_NO_PATIENT = "the row has no patient"


class ColumnArguments(DetectionArguments, total=False):
    """The keyword arguments of `anonymize` for every library, together with those about detection of `nadie.load`.

    `patient` is the column that identifies the patient of each row: all rows of a patient have the same surrogates and
    date shift. It is replaced too, unless it is kept. `policy` is the name of a policy, its file, or a dictionary.
    `key` is a secret or the path of a key file; by default the key is in the environment variable `NADIE_KEY`.
    `release` is the name of the release, whose values tell nothing about those of other releases under the same key.
    """

    patient: str | None
    policy: GivenPolicy
    key: Secret | os.PathLike[str] | None
    release: str
    model: str


class NewCell(NamedTuple):
    """The new content of a cell, or an error. One of the two is None; both are None if the cell was empty."""

    value: Any
    error: str | None


@dataclass(frozen=True)
class Chosen:
    """The columns of a table that its anonymized copy has."""

    column: str
    patient: str | None = None
    keep: tuple[str, ...] = ()

    @classmethod
    def of(cls, names: Collection[str], column: str, patient: str | None, keep: Sequence[str]) -> Chosen:
        """The columns, after checking that the table has them and that the column for errors is new."""
        if isinstance(keep, str):
            raise ConfigError("the columns to keep must be a list of names")
        check_columns(names, [column, *([] if patient is None else [patient]), *keep], [error_column(column)])
        if column in keep:
            raise ConfigError(f"the column {column!r} cannot be both kept and anonymized")
        return cls(column, patient, tuple(keep))

    @property
    def replaced_patient(self) -> str | None:
        """The patient's column if it is replaced."""
        return None if self.patient in self.keep else self.patient

    def names(self, names: Iterable[str]) -> list[str]:
        """The columns of the copy, in the order of the table."""
        return [name for name in names if name in (self.column, self.patient, *self.keep)]


@dataclass(frozen=True)
class ColumnOptions:
    """The options that determine a column's output. The same options, key and rows give the same output on any machine.

    `key` is a secret or the path of a key file, which is read where the work is done; by default the key is in the
    environment variable `NADIE_KEY`. With `has_patients` every row names its patient.
    """

    model: str = "fast"
    detection: DetectionOptions = field(default_factory=DetectionOptions)
    policy: Policy = field(default_factory=lambda: read_policy("default"), hash=False)
    key: Secret | Path | None = None
    has_patients: bool = False
    release: str = ""

    @classmethod
    def of(
        cls,
        model: str = "fast",
        policy: GivenPolicy = "default",
        key: Secret | os.PathLike[str] | None = None,
        patient: str | None = None,
        release: str = "",
        **detection: Unpack[DetectionArguments],
    ) -> ColumnOptions:
        """The options from a caller's arguments, after reading the policy and checking the key."""
        found, chosen = DetectionOptions.of(**detection), given_policy(policy)
        return cls(model, found, chosen, given_key(key), patient is not None, release)

    @classmethod
    def for_annotation(
        cls, names: Collection[str], column: str, model: str, **detection: Unpack[DetectionArguments]
    ) -> ColumnOptions:
        """The options of `annotate`, after checking that the table has the column and none of the new ones."""
        check_columns(names, [column], [error_column(column), spans_column(column)])
        return cls.of(model, **detection)

    def needs_key(self) -> bool:
        """Whether values depend on a key: without one they would differ in every process."""
        return self.policy.depends_on_key()

    def secret(self) -> Secret | None:
        return Secret.from_file(self.key) if isinstance(self.key, Path) else self.key or Secret.from_environment(KEY)

    def pipeline(self) -> Pipeline:
        """The model, which a process loads once, with an engine for these options."""
        key = Key.of(self.secret() if self.needs_key() else None, self.release)
        patient = "meta:patient" if self.has_patients else "auto"
        engine = RunOptions(policy=self.policy, key=key, patient=patient).engine()
        return replace(_model(self.model, self.detection), engine=engine)


@lru_cache(maxsize=2)
def _model(model: str, detection: DetectionOptions) -> Pipeline:
    return RunOptions(model, detection).pipeline()


@lru_cache(maxsize=2)
def pipeline_of_worker(options: ColumnOptions) -> Pipeline:
    """Model and key, read once by each of many processes. Without a key their surrogates would be inconsistent."""
    if options.needs_key() and options.secret() is None:
        raise ConfigError(f"the policy {options.policy.name!r} needs a key: {KEY} is not set for this process")
    return options.pipeline()


def anonymized(
    pipeline: Pipeline, texts: Iterable[str | None], patients: Iterable[object] | None = None
) -> Iterator[NewCell]:
    """The texts of a column with their spans replaced; with patients, each row for its own patient."""
    return _cells(texts, patients, pipeline.anonymize_all, lambda result: result.text)


def anonymized_columns(
    pipeline: Pipeline, chosen: Chosen, texts: Iterable[str | None], patients: Sequence[object] | None
) -> dict[str, list[str | None]]:
    """The columns to set in the copy of a table: the texts, the patients if they are replaced, and the errors."""
    cells = list(anonymized(pipeline, texts, patients))
    new = {chosen.column: [cell.value for cell in cells]}
    if chosen.replaced_patient is not None and patients is not None:
        new[chosen.replaced_patient] = replaced_patients(pipeline, patients)
    return new | {error_column(chosen.column): [cell.error for cell in cells]}


def replaced_patients(pipeline: Pipeline, patients: Iterable[object]) -> list[str | None]:
    """The value that stands for each patient by the policy, one per patient; None for a row without a patient."""
    new: dict[str, str | None] = {"": None}
    names = [_name(patient) for patient in patients]
    for name in names:
        if name not in new:
            span = Span(0, len(name), Label.ID_SUJETO_ASISTENCIA, 1.0, FIELD)
            new[name] = pipeline.engine.run(Document("", name, (span,), {"patient": name})).text
    return [new[name] for name in names]


def annotated_columns(pipeline: Pipeline, column: str, texts: Iterable[str | None]) -> dict[str, list[Any]]:
    """The columns to add to a table: the spans of each text, as dictionaries, and the errors."""
    cells = list(_cells(texts, None, pipeline.annotate_all, _spans))
    return {spans_column(column): [cell.value for cell in cells], error_column(column): [cell.error for cell in cells]}


def _cells(
    texts: Iterable[str | None],
    patients: Iterable[object] | None,
    work: Callable[[Sequence[Document]], Iterable[T]],
    value: Callable[[T], object],
) -> Iterator[NewCell]:
    rows = ((text, "") for text in texts) if patients is None else zip(texts, map(_name, patients), strict=True)
    for batch in batches(rows):
        documents = [_document(text, patient, patients is not None) for text, patient in batch]
        done = iter(handled([each for each in documents if isinstance(each, Document)], work))
        for document in documents:
            if not isinstance(document, Document):
                yield document
                continue
            result = next(done)
            yield NewCell(None, str(result)) if isinstance(result, Failure) else NewCell(value(result), None)


def _document(text: object, patient: str, has_patients: bool) -> Document | NewCell:
    """A document without an id, so that nothing depends on the number or order of rows."""
    if text is None:
        return NewCell(None, None)
    if not isinstance(text, str):
        return NewCell(None, f"the cell is not text but {type(text).__name__}")
    if has_patients and not patient:
        return NewCell(None, _NO_PATIENT)
    return Document("", text, (), {"patient": patient} if patient else {})


def _name(patient: object) -> str:
    """A patient as text; a whole number that was converted to a float because of missing values is an integer again."""
    if patient is None or patient != patient:
        return ""
    return str(int(patient)) if isinstance(patient, float) and patient.is_integer() else str(patient).strip()


def _spans(document: Document) -> list[dict[str, object]]:
    return [{name: of(getattr(span, name)) for name, of in SPAN_FIELDS.items()} for span in document.spans]


def check_columns(names: Collection[str], wanted: Collection[str], new: Collection[str]) -> None:
    """Raise an error for columns that do not exist, and for new columns that already exist."""
    for name in wanted:
        if name not in names:
            raise ConfigError(f"the table has no column {name!r}")
    for name in new:
        if name in names:
            raise ConfigError(f"the table already has a column {name!r}: rename or drop it")


def error_column(column: str) -> str:
    return f"{column}_error"


def spans_column(column: str) -> str:
    return f"{column}_spans"
