"""The composition root: documents in, results out. The command line, the service and the Python API all run this."""

from __future__ import annotations

import hashlib
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, cast

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.operator import OPERATORS
from nadie.anonymize.patients import patient_by
from nadie.anonymize.policy import Policy, read_policy
from nadie.anonymize.records import Records
from nadie.anonymize.secret import Key, Secret
from nadie.detectors.base import DETECTORS, Biased, Detector, Probabilistic
from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError, NadieError
from nadie.options import DetectionOptions, Mode
from nadie.resolve.eponyms import protect
from nadie.resolve.lists import Lists
from nadie.resolve.overlaps import disjoint, with_fields
from nadie.resolve.thresholds import Thresholds
from nadie.storage import ModelFolder, find_model, read_model
from nadie.tokens.view import view_of

if TYPE_CHECKING:
    from nadie.detectors.known import Known

_BATCH = 16
_BATCHES_PER_WORKER = 4

T = TypeVar("T")
Input = Document | FormatError


@dataclass(frozen=True, slots=True)
class Failure:
    """A document that could not be handled. The message names the document and never quotes its text.

    `error` is an error of nadie, `cause` the name of the class of any other one.
    """

    message: str
    error: NadieError | None = None
    cause: str = ""


@dataclass(frozen=True)
class Pipeline:
    """A detector with everything that comes before and after it. Threads may share one.

    >>> model = load("fast")                                         # doctest: +SKIP
    >>> model.anonymize("Paciente de 70 años, natural de Cuenca.")   # doctest: +SKIP
    'Paciente de [EDAD_SUJETO_ASISTENCIA], natural de [TERRITORIO].'

    `about` describes the model and the detection options for the audit.
    """

    detector: Detector
    engine: Engine = field(default_factory=lambda: Engine(read_policy("default")))
    known: Detector | None = None
    lists: Lists | None = None
    thresholds: Thresholds | None = None
    about: dict[str, Any] = field(default_factory=dict)

    def annotate(self, text: str | Document) -> Document:
        """The document with the spans found in it: disjoint, in order, in the offsets of the original text."""
        document = text if isinstance(text, Document) else Document("", text)
        return next(self.annotate_all([document]))

    def annotate_all(self, documents: Iterable[Document]) -> Iterator[Document]:
        """The same for many documents, lazily and in order, a batch at a time."""
        for batch in batches(documents):
            views = [view_of(document.text) for document in batch]
            seen = [Document(d.id, view.text, (), d.meta) for d, view in zip(batch, views, strict=True)]
            for document, view, spans in zip(batch, views, self._found(seen), strict=True):
                found = (_trimmed(view.span_to_original(s), document.text) for s in spans)
                yield document.with_spans(disjoint(with_fields(document, found)))

    def anonymize(self, text: str | Document) -> str:
        """The text with every span found in it replaced."""
        return self.engine.run(self.annotate(text)).text

    def anonymize_all(self, documents: Iterable[Document]) -> Iterator[Anonymized]:
        """The same for many documents, with what was replaced by what."""
        return map(self.engine.run, self.annotate_all(documents))

    def _found(self, seen: Sequence[Document]) -> list[tuple[Span, ...]]:
        """The detector's spans without eponyms and other medical terms, then known identities and the user's lists."""
        found = [protect(each, spans) for each, spans in zip(seen, self._above_thresholds(seen), strict=True)]
        if self.known:
            found = [(*spans, *more) for spans, more in zip(found, self.known.detect(seen), strict=True)]
        if self.lists:
            found = [self.lists.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        return found

    def _above_thresholds(self, seen: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = self.detector.detect(seen)
        if self.thresholds is None:
            return found
        if not isinstance(self.detector, Probabilistic):
            return [self.thresholds.apply(each, spans) for each, spans in zip(seen, found, strict=True)]
        probabilities = self.detector.token_probabilities(seen)
        return [
            self.thresholds.apply(each, spans, tokens)
            for each, spans, tokens in zip(seen, found, probabilities, strict=True)
        ]


@dataclass(frozen=True)
class RunOptions:
    """Everything that decides the output of a run: the same options give the same output in any process.

    Without a policy every span is replaced by its label. Without a key a random one is used, so no other run gives
    the same surrogates. `patient` is a rule (see `nadie.anonymize.patients`) that tells whose document it is; without
    one it is the document's metadata field `patient`.
    """

    model: str = "fast"
    detection: DetectionOptions = field(default_factory=DetectionOptions)
    policy: Policy = field(default_factory=lambda: read_policy("default"))
    key: Key | None = None
    patient: str = ""

    def engine(self) -> Engine:
        return Engine(self.policy, self.key, patient=patient_by(self.patient) if self.patient else None)

    def pipeline(self) -> Pipeline:
        """The model and all options, read and checked."""
        engine, options = self.engine(), self.detection
        folder = read_model(find_model(self.model))
        detector = _at(options.mode, DETECTORS.get(folder.system).load(folder), folder)
        known = _known(options.known) if options.known else None
        lists = Lists.read(options.allow, options.deny) if options.allow or options.deny else None
        thresholds = Thresholds.read(options.thresholds) if options.thresholds else None
        about = {
            "model": _about_model(folder),
            "detection": {
                "mode": options.mode.value,
                "thresholds": {"default": thresholds.default, **thresholds.labels} if thresholds else {},
                "known_identities": known.count if known else 0,
                "allowed_terms": len(lists.allow) if lists else 0,
                "denied_terms": len(lists.deny) if lists else 0,
            },
        }
        return Pipeline(detector, engine, known, lists, thresholds, about)


def load(
    model: str | os.PathLike[str] = "fast",
    *,
    operator: str = "label",
    policy: str | os.PathLike[str] | None = None,
    secret: Secret | None = None,
    options: DetectionOptions | None = None,
) -> Pipeline:
    """The model of that name or in that folder, ready to work.

    It replaces by one operator for all labels, or by a policy (see `nadie.anonymize.policy`). With a secret, surrogates
    are the same in every run.
    """
    chosen = Policy.of_one(OPERATORS.get(operator)()) if policy is None else read_policy(os.fspath(policy))
    key = secret.key() if secret else None
    return RunOptions(os.fspath(model), options or DetectionOptions(), chosen, key).pipeline()


class Run:
    """One run over any number of documents: in batches, in order, each document apart from the failure of another.

    With more than one worker the batches go to processes of their own, with the same result. Close it, or use it in a
    `with` statement.
    """

    def __init__(self, options: RunOptions, workers: int = 1) -> None:
        self._workers = workers
        self._pool: ProcessPoolExecutor | None = None
        self.pipeline = options.pipeline()
        if workers > 1:
            shared = replace(options, key=options.key or Key.random())
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_start, initargs=(shared,))

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)

    def annotate(self, inputs: Iterable[Input]) -> Iterator[Document | Failure]:
        """Every document with its spans, or why it has none."""
        return cast("Iterator[Document | Failure]", self._map("annotate", inputs))

    def anonymize(self, inputs: Iterable[Input], records: Records | None = None) -> Iterator[Anonymized | Failure]:
        """Every document anonymized, or why it is not. Records are kept before a result is given out."""
        results = cast("Iterator[Anonymized | Failure]", self._map("anonymize", inputs))
        for batch in batches(results):
            if records is not None:
                records.keep([item for item in batch if isinstance(item, Anonymized)])
            yield from batch

    def _map(self, task: Task, inputs: Iterable[Input]) -> Iterator[object]:
        if self._pool is None:
            for batch in batches(inputs):
                yield from handled(batch, _work(self.pipeline, task))
            return
        under_way: deque[Future[list[object]]] = deque()
        for batch in batches(inputs):
            under_way.append(self._pool.submit(_handle, task, batch))
            if len(under_way) >= self._workers * _BATCHES_PER_WORKER:
                yield from under_way.popleft().result()
        while under_way:
            yield from under_way.popleft().result()


def handled(batch: Sequence[Input], work: Callable[[Sequence[Document]], Iterable[T]]) -> list[T | Failure]:
    """The work on a batch. If the batch fails, every document is tried alone, so that only the bad one fails."""
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
_in_process: list[Pipeline] = []


def _start(options: RunOptions) -> None:
    _in_process.append(options.pipeline())


def _handle(task: Task, batch: list[Input]) -> list[object]:
    return handled(batch, _work(_in_process[0], task))


def _work(pipeline: Pipeline, task: Task) -> Callable[[Sequence[Document]], Iterable[object]]:
    return pipeline.annotate_all if task == "annotate" else pipeline.anonymize_all


def batches(items: Iterable[T]) -> Iterator[list[T]]:
    """The items in lists of the size that every stage works on."""
    waiting = iter(items)
    while batch := list(islice(waiting, _BATCH)):
        yield batch


def _known(path: Path) -> Known:
    from nadie.detectors.known import Known  # only where it is needed: most runs have no list of identities

    return Known.read(path)


def _at(mode: Mode, detector: Detector, folder: ModelFolder) -> Detector:
    """The detector at an operating point, which the model's card has from its development set."""
    if mode is Mode.BALANCED:
        return detector
    point = folder.card.get("modes", {}).get(mode.value)
    if point is None or not isinstance(detector, Biased):
        raise ConfigError(f"the model {folder.name!r} has no mode {mode.value!r}, only balanced")
    return cast(Detector, detector.with_bias(float(point["bias"])))


def _about_model(folder: ModelFolder) -> dict[str, str]:
    """Name, system, version, and one hash over all files of the model."""
    seal = folder.path / "checksums.json"
    return {
        "name": folder.name,
        "system": folder.system,
        "version": str(folder.card.get("version", "")),
        "sha256": hashlib.sha256(seal.read_bytes()).hexdigest() if seal.is_file() else "",
    }


def _trimmed(span: Span, text: str) -> Span:
    """The span without white space at its ends, which a view may have put there."""
    start, end = span.start, span.end
    while start < end - 1 and text[start].isspace():
        start += 1
    while end - 1 > start and text[end - 1].isspace():
        end -= 1
    return Span(start, end, span.label, span.score, span.source)
