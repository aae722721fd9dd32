"""A run over documents: documents in, results out, in one process or several."""

from __future__ import annotations

import json
import os
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, Unpack, cast

from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.operators.base import OPERATORS
from nadie.anonymize.patients import Conflicts, patient_by
from nadie.anonymize.policy import GivenPolicy, Policy, given_policy, read_policy
from nadie.anonymize.replacements import Replacements
from nadie.anonymize.secret import Key, Secret, given_key
from nadie.detector import Biased, Detector, Model, Teacher
from nadie.document import Document
from nadie.errors import ConfigError, Failure
from nadie.options import DetectionArguments, DetectionOptions, Mode, Rename, Spans
from nadie.resolve.lists import Lists
from nadie.resolve.thresholds import Thresholds
from nadie.run.pipeline import Pipeline, batches
from nadie.run.second_look import SecondLook
from nadie.run.two_readers import BIASES, SECOND, TwoReaders
from nadie.storage import checksum_of

if TYPE_CHECKING:
    from concurrent.futures import Future

    from nadie.detectors.known import Known
    from nadie.records.naming import Naming
    from nadie.records.records import Records
    from nadie.run.journal import Journal
    from nadie.run.workers import Workers

_BATCHES_PER_WORKER = 4

Owner = TypeVar("Owner")
T = TypeVar("T")
Input = Document | Failure


class RunArguments(DetectionArguments, total=False):
    """The keyword arguments of `nadie.load`."""

    operator: str
    policy: GivenPolicy | None
    key: Secret | os.PathLike[str] | None
    release: str
    patient: str
    spans: Spans | str


@dataclass(frozen=True)
class RunOptions:
    """Everything that determines the output of a run: the same options give the same output in any process.

    Without a policy every span is replaced by its label. Without a key the options get a random one, so that no other
    run gives the same surrogates; all parts of the run use this one key. `patient` is the rule that identifies the
    patient of a document (see `nadie.anonymize.patients`).
    """

    model: str = "fast"
    detection: DetectionOptions = field(default_factory=DetectionOptions)
    policy: Policy = field(default_factory=lambda: read_policy("default"))
    key: Key = field(default_factory=Key.random)
    patient: str = "auto"
    spans: Spans = Spans.GIVEN

    @classmethod
    def of(
        cls,
        model: str | os.PathLike[str] = "fast",
        *,
        operator: str = "",
        policy: GivenPolicy | None = None,
        key: Secret | os.PathLike[str] | None = None,
        release: str = "",
        patient: str = "auto",
        spans: Spans | str = Spans.GIVEN,
        **detection: Unpack[DetectionArguments],
    ) -> RunOptions:
        """The options from a caller's arguments; see `load`."""
        try:
            which = Spans(spans)
        except ValueError:
            raise ConfigError(f"there are no spans {str(spans)[:40]!r}: {', '.join(Spans)}") from None
        options = DetectionOptions.of(**detection)
        chosen = Policy.of_one(OPERATORS.get(operator)()) if operator else given_policy(policy or "default")
        given = given_key(key)
        secret = Secret.from_file(given) if isinstance(given, Path) else given
        return cls(os.fspath(model), options, chosen, Key.of(secret, release), patient, which)

    def engine(self) -> Engine:
        return Engine(self.policy, self.key, patient=patient_by(self.patient))

    def pipeline(self) -> Pipeline:
        """Load the model and read and check all options."""
        engine, options = self.engine(), self.detection
        model = Model.of(self.model)
        plain = model.detector()
        detector = _at(options.mode, model, plain)
        for_scans = _for_scans(options.scan_mode, model, plain) or detector
        known = _known(options, model)
        lists = Lists.read(options.allow, options.deny) if options.allow or options.deny else None
        thresholds = Thresholds.read(options.thresholds) if options.thresholds else None
        own = None
        if options.patterns:
            from nadie.resolve.own_patterns import OwnPatterns  # on demand: loads the checksums of many countries

            given = options.patterns
            own = OwnPatterns.read(given) if isinstance(given, Path) else OwnPatterns.of(map(json.loads, given))
        countries = _checked_countries(options.country)
        second = self._second_look(model)
        about = {
            "model": _about_model(model),
            "detection": {
                "mode": options.mode.value,
                "scan_mode": options.scan_mode.value,
                "second_model": second.model if second and engine.invents_names else "",
                "strict": options.strict,
                "thresholds": {"default": thresholds.default, **thresholds.labels} if thresholds else {},
                "known_identities": known.count if known else 0,
                "known_file": _name(options.known),
                "allowed_terms": len(lists.allow) if lists else 0,
                "allow_file": _name(options.allow),
                "denied_terms": len(lists.deny) if lists else 0,
                "deny_file": _name(options.deny),
                "own_patterns": len(own) if own else 0,
                "patterns_file": _name(options.patterns),
                "country": " ".join(countries),
            },
            "patient": self.patient.partition(":")[0],
            "spans": self.spans.value,
        }
        return Pipeline(
            *(detector, engine, known, lists, thresholds, about, self.spans, own),
            scan_detector=for_scans,
            second=second,
            is_strict=options.strict,
            countries=countries,
        )

    def _second_look(self, model: Model) -> SecondLook | None:
        options = self.detection
        if options.mode is Mode.PRECISION:
            return None
        return SecondLook.beside(model, options.second, is_careful=options.strict or options.mode is Mode.RECALL)


def _known(options: DetectionOptions, model: Model) -> Known | None:
    if not options.known:
        if model.system == "known":
            raise ConfigError("the detector 'known' finds the identities of a table: give the table")
        return None
    from nadie.detectors.known import Known  # imported on demand: most runs have no identity table

    return Known.read(options.known) if isinstance(options.known, Path) else Known.of(map(dict, options.known))


def _checked_countries(codes: Sequence[str]) -> tuple[str, ...]:
    """The codes of countries, in capitals; an unknown one is an error."""
    countries = tuple(sorted({code.upper() for code in codes}))
    if countries:
        from nadie.detectors.patterns.countries import names_of  # on demand: it loads all patterns

        names_of(countries)
    return countries


def load(model: str | os.PathLike[str] = "fast", **given: Unpack[RunArguments]) -> Pipeline:
    """Load the model or the registered detector of that name, or the model in that folder.

    It replaces each label according to a `policy`, which is the name of one, its file, or a dictionary with the
    sections of the file (see `nadie.anonymize.policy`), or all labels with one `operator`. `key` is a `Secret` or the
    `Path` of a key file: with it, surrogates are the same in every run of the same `release`. `patient` is the rule
    that identifies the patient of a document (see `nadie.anonymize.patients`), and `spans` tells whether those that a
    document came with are used. The arguments about detection are those of `DetectionOptions`: mode, known, allow,
    deny, thresholds, patterns and others.
    """
    return RunOptions.of(model, **given).pipeline()


class Run:
    """One run over any number of documents, in batches and in order. The failure of a document does not affect others.

    With more than one worker the batches go to separate processes, with the same result. Close the run, or use it in a
    `with` statement.
    """

    def __init__(self, options: RunOptions, workers: int = 1) -> None:
        self.pipeline = options.pipeline()
        self._patient = patient_by(options.patient)
        self._conflicts = Conflicts()
        self.depends_on_patient = options.policy.depends_on_key() and options.policy.scope != "document"
        self.without_patient = 0
        self._name_like: Counter[str] = Counter()
        self._later_events = 0
        self._key = options.key
        self._most_under_way = workers * _BATCHES_PER_WORKER
        self._workers = _workers(workers, options) if workers > 1 else None

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        if self._workers is not None:
            self._workers.close()

    def annotate(self, inputs: Iterable[Input]) -> Iterator[Document | Failure]:
        """Every document with its spans, or a failure."""
        return (result for _, result in self.annotate_owned((None, item) for item in inputs))

    def annotate_owned(self, pairs: Iterable[tuple[Owner, Input]]) -> Iterator[tuple[Owner, Document | Failure]]:
        """The same for pairs of an owner, which is any object, and its document."""
        return (pair for batch in self._map("annotate", pairs) for pair in batch)

    def anonymize(self, inputs: Iterable[Input]) -> Iterator[Anonymized | Failure]:
        """Every document anonymized, or a failure."""
        return (result for _, result in self.anonymize_owned((None, item) for item in inputs))

    def anonymize_owned(
        self,
        pairs: Iterable[tuple[Owner, Input]],
        records: Records | None = None,
        naming: Naming | None = None,
        journal: Journal | None = None,
    ) -> Iterator[tuple[Owner, Anonymized | Failure]]:
        """The same for pairs of an owner, which is any object, and its document.

        Records and the journal are written before a result is returned. Documents whose results are in the journal are
        not processed again.
        """
        if journal is None:
            batches_done: Iterable[list[tuple[Owner, Anonymized | Failure]]] = self._map("anonymize", pairs)
        else:
            batches_done = map(journal.add, self._map("anonymize", journal.replayed(pairs)))
        for batch in batches_done:
            if naming is not None:
                batch = [(owner, naming.named(r) if isinstance(r, Anonymized) else r) for owner, r in batch]
            done = [result for _, result in batch if isinstance(result, Anonymized)]
            if records is not None:
                records.keep(done)
            if self.pipeline.engine.invents_names:
                counts = [item.count_name_like() for item in done]
                self._name_like.update(words=sum(counts), documents=sum(map(bool, counts)))
            self._later_events += sum(item.names_later_event() for item in done)
            for item in done:
                patient = self._patient(item.document)
                self.without_patient += not patient
                if patient:
                    self._conflicts.add(item.document, patient, item.name or item.document.id)
            yield from batch

    def naming(self, rule: Rename) -> Naming:
        """The rule for the names of outputs; with a random key, hashes differ in every run."""
        from nadie.records.naming import Naming  # on demand: it imports the formats of files

        return Naming(rule, self._key, lambda text: bool(self.pipeline.annotate(text).spans))

    @property
    def conflicts(self) -> Sequence[str]:
        """Contradictions so far about patients: one record number with two patients, or one patient with two."""
        return self._conflicts.found

    @property
    def remarks(self) -> Sequence[str]:
        """What a user should know about the output so far: words that look like names, and events that bound shifts."""
        remarks = []
        if words := self._name_like["words"]:
            documents = self._name_like["documents"]
            remarks.append(
                f"{words} words in {documents} documents were not replaced and look like names; --strict masks them"
            )
        if count := self._later_events:
            remarks.append(
                f"documents that name an event later than their shifted dates, which bounds the shift: {count}; "
                "future as the direction in [dates] of the policy prevents it"
            )
        return remarks

    def _map(self, task: Task, pairs: Iterable[tuple[Owner, Input | Anonymized]]) -> Iterator[list[tuple[Owner, Any]]]:
        """The results of each batch; an item that is already a result or a failure is passed through."""
        under_way: deque[tuple[list[tuple[Owner, Input | Anonymized]], Future[list[object]] | None]] = deque()
        for batch in batches(pairs):
            to_do = [item for _, item in batch if isinstance(item, Document)]
            if self._workers is None:
                yield _paired(batch, handled(to_do, _work(self.pipeline, task)))
                continue
            under_way.append((batch, self._workers.submit([(task, item) for item in to_do]) if to_do else None))
            if len(under_way) >= self._most_under_way:
                first, done = under_way.popleft()
                yield _paired(first, done.result() if done else ())
        while under_way:
            first, done = under_way.popleft()
            yield _paired(first, done.result() if done else ())


def handled(batch: Sequence[Input], work: Callable[[Sequence[Document]], Iterable[T]]) -> list[T | Failure]:
    """Process a batch. If it fails, every document is tried alone, so that only the faulty one fails.

    The failures in the batch are passed through.
    """
    documents = [item for item in batch if isinstance(item, Document)]
    try:
        done: list[T | Failure] = list(work(documents))
    except Exception:
        done = [_alone(document, work) for document in documents]
    results = iter(done)
    return [next(results) if isinstance(item, Document) else item for item in batch]


def _alone(document: Document, work: Callable[[Sequence[Document]], Iterable[T]]) -> T | Failure:
    try:
        return next(iter(work([document])))
    except Exception as error:
        return Failure.of(error, document.id)


Task = Literal["annotate", "anonymize"]


def _workers(count: int, options: RunOptions) -> Workers[tuple[Task, Document], object]:
    from nadie.run.workers import Workers  # imports multiprocessing, which a single process does not need

    return Workers(count, _ready, options, _lost)


def _ready(options: RunOptions) -> Callable[[list[tuple[Task, Document]]], list[object]]:
    """The function that a worker process applies to a batch, all of whose items have the same task.

    The parent has the documents, so only the replacements are sent back.
    """
    pipeline = options.pipeline()

    def work(batch: list[tuple[Task, Document]]) -> list[object]:
        done = handled([item for _, item in batch], _work(pipeline, batch[0][0]))
        return [Replacements.of(result) if isinstance(result, Anonymized) else result for result in done]

    return work


def _lost(given: tuple[Task, Document]) -> Failure:
    from nadie.run.workers import WorkerError

    reason = "the process that worked on it was ended twice; there may not be enough memory"
    return Failure.of(WorkerError(reason), given[1].id)


def _paired(batch: list[tuple[Owner, Input | Anonymized]], done: Iterable[object]) -> list[tuple[Owner, object]]:
    """The owners of a batch with the results of its documents, and with the items that are not documents."""
    results = iter(done)
    return [(owner, _applied(item, next(results)) if isinstance(item, Document) else item) for owner, item in batch]


def _applied(document: Document, result: object) -> object:
    return result.applied_to(document) if isinstance(result, Replacements) else result


def _work(pipeline: Pipeline, task: Task) -> Callable[[Sequence[Document]], Iterable[object]]:
    return pipeline.annotate_all if task == "annotate" else pipeline.anonymize_all


def _at(mode: Mode, model: Model, detector: Detector) -> Detector:
    """The detector at an operating point from the model's card, where it was set on the development set."""
    if mode is Mode.BALANCED:
        return detector
    point = model.card.get("modes", {}).get(mode.value)
    if point is None or not isinstance(detector, Biased):
        raise ConfigError(f"the model {model.name!r} has no mode {mode.value!r}, only balanced")
    return cast(Detector, detector.with_bias(float(point["bias"])))


def _for_scans(mode: Mode, model: Model, detector: Detector) -> Detector | None:
    """The detector for scans; none if the model does not have this mode."""
    if mode is not Mode.BALANCED and mode.value not in model.card.get("modes", {}):
        return None
    is_one = model.system == "convnet" and model.name != SECOND
    if is_one and mode in BIASES and isinstance(detector, Teacher):
        return TwoReaders(model.name, detector, BIASES[mode])
    return _at(mode, model, detector)


def _name(file: object) -> str:
    return file.name if isinstance(file, Path) else ""


def _about_model(model: Model) -> dict[str, str]:
    """Name, system, version, and one hash of all files of the model."""
    return {
        "name": model.name,
        "system": model.system,
        "version": str(model.card.get("version", "")),
        "sha256": checksum_of(model.folder.path) if model.folder else "",
    }
