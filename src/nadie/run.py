"""The composition root: documents in, results out. Used by the command line, the service and the Python API."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar, cast

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.naming import Naming
from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.patients import Conflicts, patient_by
from nadie.anonymize.policy import Policy, read_policy
from nadie.anonymize.replacements import Replacements
from nadie.anonymize.secret import Key, Secret
from nadie.detectors.base import DETECTORS, Biased, Detector
from nadie.document import Document
from nadie.errors import ConfigError, FormatError, NadieError
from nadie.options import DetectionOptions, Mode, Rename, Spans
from nadie.pipeline import Pipeline, batches
from nadie.resolve.lists import Lists
from nadie.resolve.thresholds import Thresholds
from nadie.storage import ModelFolder, find_model, read_model

if TYPE_CHECKING:
    from concurrent.futures import Future

    from nadie.anonymize.records import Records
    from nadie.detectors.known import Known
    from nadie.journal import Journal
    from nadie.resolve.own_patterns import OwnPatterns
    from nadie.workers import Workers

_BATCHES_PER_WORKER = 4

T = TypeVar("T")
Input = Document | FormatError


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be processed. The message names the document and never quotes its text.

    `error` is set for an error of nadie, `cause` (the name of the exception class) for any other.
    """

    message: str
    error: NadieError | None = None
    cause: str = ""


@dataclass(frozen=True)
class RunOptions:
    """Everything that determines the output of a run: the same options give the same output in any process.

    Without a policy every span is replaced by its label. Without a key a random one is used, so that no other run gives
    the same surrogates. `patient` is the rule that identifies the patient of a document (see
    `nadie.anonymize.patients`).
    """

    model: str = "fast"
    detection: DetectionOptions = field(default_factory=DetectionOptions)
    policy: Policy = field(default_factory=lambda: read_policy("default"))
    key: Key | None = None
    patient: str = "auto"
    spans: Spans = Spans.GIVEN

    def engine(self) -> Engine:
        return Engine(self.policy, self.key, patient=patient_by(self.patient))

    def pipeline(self) -> Pipeline:
        """Load the model and read and check all options."""
        engine, options = self.engine(), self.detection
        folder = read_model(find_model(self.model))
        detector = _at(options.mode, DETECTORS.get(folder.system).load(folder), folder)
        known = _known(options.known) if options.known else None
        lists = Lists.read(options.allow, options.deny) if options.allow or options.deny else None
        thresholds = Thresholds.read(options.thresholds) if options.thresholds else None
        own = _own_patterns(options.patterns) if options.patterns else None
        about = {
            "model": _about_model(folder),
            "detection": {
                "mode": options.mode.value,
                "thresholds": {"default": thresholds.default, **thresholds.labels} if thresholds else {},
                "known_identities": known.count if known else 0,
                "known_file": options.known.name if options.known else "",
                "allowed_terms": len(lists.allow) if lists else 0,
                "allow_file": options.allow.name if options.allow else "",
                "denied_terms": len(lists.deny) if lists else 0,
                "deny_file": options.deny.name if options.deny else "",
                "own_patterns": len(own) if own else 0,
                "patterns_file": options.patterns.name if options.patterns else "",
            },
            "patient": self.patient.partition(":")[0],
            "spans": self.spans.value,
        }
        return Pipeline(detector, engine, known, lists, thresholds, about, self.spans, own)


def load(
    model: str | os.PathLike[str] = "fast",
    *,
    operator: str = "label",
    policy: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    options: DetectionOptions | None = None,
    patient: str = "auto",
    spans: Spans = Spans.GIVEN,
) -> Pipeline:
    """Load the model of that name or in that folder.

    It replaces all labels with one operator, or each according to a policy (see `nadie.anonymize.policy`). With a
    secret, surrogates are the same in every run. `patient` is the rule that identifies the patient of a document (see
    `nadie.anonymize.patients`).
    """
    chosen = Policy.of_one(OPERATORS.get(operator)()) if policy is None else read_policy(os.fspath(policy))
    key = secret.key() if secret else None
    return RunOptions(os.fspath(model), options or DetectionOptions(), chosen, key, patient, spans).pipeline()


class Run:
    """One run over any number of documents, in batches and in order. The failure of a document does not affect others.

    With more than one worker the batches go to separate processes, with the same result. Close the run, or use it in a
    `with` statement.
    """

    def __init__(self, options: RunOptions, workers: int = 1) -> None:
        self.pipeline = options.pipeline()
        self._conflicts = Conflicts(patient_by(options.patient)) if options.patient != "none" else None
        self._options = replace(options, key=options.key or Key.random()) if workers > 1 else options
        self._most_under_way = workers * _BATCHES_PER_WORKER
        self._workers = _workers(workers, self._options) if workers > 1 else None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.close()

    def annotate(self, inputs: Iterable[Input]) -> Iterator[Document | Failure]:
        """Every document with its spans, or a failure."""
        results = (item for batch in self._map("annotate", inputs) for item in batch)
        return cast("Iterator[Document | Failure]", results)

    def anonymize(
        self,
        inputs: Iterable[Input],
        records: Records | None = None,
        naming: Naming | None = None,
        journal: Journal | None = None,
    ) -> Iterator[Anonymized | Failure]:
        """Every document anonymized, or a failure. Records and the journal are written before a result is returned.

        Documents whose results are in the journal are not processed again.
        """
        given = inputs if journal is None else journal.replayed(inputs)
        for results in self._map("anonymize", given):
            batch = cast("list[Anonymized | Failure]", results)
            if journal is not None:
                journal.add(batch)
            if naming is not None:
                batch = [naming.named(item) if isinstance(item, Anonymized) else item for item in batch]
            done = [item for item in batch if isinstance(item, Anonymized)]
            if records is not None:
                records.keep(done)
            if self._conflicts is not None:
                for item in done:
                    self._conflicts.add(item.document, item.name or item.document.id)
            yield from batch

    def naming(self, rule: Rename, key: Key | None = None) -> Naming:
        """The rule for the names of outputs; without a key, hashes differ in every run."""
        return Naming(rule, key or Key.random(), lambda text: bool(self.pipeline.annotate(text).spans))

    @property
    def conflicts(self) -> Sequence[str]:
        """Contradictions so far about patients: one record number with two patients, or one patient with two."""
        return self._conflicts.found if self._conflicts else ()

    def _map(self, task: Task, items: Iterable[Input | Anonymized]) -> Iterator[list[object]]:
        """The results of each batch; an item that is already a result is passed through."""
        under_way: deque[tuple[list[Input | Anonymized], Future[list[object]] | None]] = deque()
        for batch in batches(items):
            to_do = [item for item in batch if not isinstance(item, Anonymized)]
            if self._workers is None:
                yield _merged(batch, handled(to_do, _work(self.pipeline, task)))
                continue
            under_way.append((batch, self._workers.submit([(task, item) for item in to_do]) if to_do else None))
            if len(under_way) >= self._most_under_way:
                yield _finished(*under_way.popleft())
        while under_way:
            yield _finished(*under_way.popleft())


def handled(batch: Sequence[Input], work: Callable[[Sequence[Document]], Iterable[T]]) -> list[T | Failure]:
    """Process a batch. If it fails, every document is tried alone, so that only the faulty one fails."""
    documents = [item for item in batch if isinstance(item, Document)]
    try:
        done: list[T | Failure] = list(work(documents))
    except Exception:
        done = [_alone(document, work) for document in documents]
    results = iter(done)
    return [next(results) if isinstance(item, Document) else Failure(str(item), item) for item in batch]


def _alone(document: Document, work: Callable[[Sequence[Document]], Iterable[T]]) -> T | Failure:
    try:
        return next(iter(work([document])))
    except NadieError as error:
        return Failure(f"{document.id}: {error}", error)
    except Exception as error:  # the message of other code may quote the text: only the type is named
        cause = type(error).__name__
        return Failure(f"{document.id}: {cause} while it was being processed", cause=cause)


Task = Literal["annotate", "anonymize"]


def _workers(count: int, options: RunOptions) -> Workers[tuple[Task, Input], object]:
    from nadie.workers import Workers  # imports multiprocessing, which a single process does not need

    return Workers(count, _ready, options, _lost)


def _ready(options: RunOptions) -> Callable[[list[tuple[Task, Input]]], list[object]]:
    """The function that a worker process applies to a batch, all of whose items have the same task.

    The parent has the documents, so only the replacements are sent back.
    """
    pipeline = options.pipeline()

    def work(batch: list[tuple[Task, Input]]) -> list[object]:
        done = handled([item for _, item in batch], _work(pipeline, batch[0][0]))
        return [Replacements.of(result) if isinstance(result, Anonymized) else result for result in done]

    return work


def _lost(given: tuple[Task, Input]) -> Failure:
    item = given[1]
    name = item.id if isinstance(item, Document) else item.where
    return Failure(f"{name}: the process that worked on it was ended twice; there may not be enough memory")


def _finished(batch: list[Input | Anonymized], done: Future[list[object]] | None) -> list[object]:
    results = iter(done.result() if done else [])
    return [item if isinstance(item, Anonymized) else _applied(item, next(results)) for item in batch]


def _applied(item: Input, result: object) -> object:
    return result.applied_to(item) if isinstance(result, Replacements) and isinstance(item, Document) else result


def _merged(batch: list[Input | Anonymized], done: Sequence[object]) -> list[object]:
    results = iter(done)
    return [item if isinstance(item, Anonymized) else next(results) for item in batch]


def _work(pipeline: Pipeline, task: Task) -> Callable[[Sequence[Document]], Iterable[object]]:
    return pipeline.annotate_all if task == "annotate" else pipeline.anonymize_all


def _known(path: Path) -> Known:
    from nadie.detectors.known import Known  # imported on demand: most runs have no identity table

    return Known.read(path)


def _own_patterns(path: Path) -> OwnPatterns:
    from nadie.resolve.own_patterns import OwnPatterns  # imported on demand: loads the checksums of many countries

    return OwnPatterns.read(path)


def _at(mode: Mode, detector: Detector, folder: ModelFolder) -> Detector:
    """The detector at an operating point from the model's card, where it was set on the development set."""
    if mode is Mode.BALANCED:
        return detector
    point = folder.card.get("modes", {}).get(mode.value)
    if point is None or not isinstance(detector, Biased):
        raise ConfigError(f"the model {folder.name!r} has no mode {mode.value!r}, only balanced")
    return cast(Detector, detector.with_bias(float(point["bias"])))


def _about_model(folder: ModelFolder) -> dict[str, str]:
    """Name, system, version, and one hash of all files of the model."""
    seal = folder.path / "checksums.json"
    return {
        "name": folder.name,
        "system": folder.system,
        "version": str(folder.card.get("version", "")),
        "sha256": hashlib.sha256(seal.read_bytes()).hexdigest() if seal.is_file() else "",
    }
