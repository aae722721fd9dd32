"""Drawing a sample of notes for review, from any files that a run reads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from nadie.anonymize.patients import patient_by
from nadie.document import Document
from nadie.errors import ConfigError, Failure
from nadie.files.annotated.brat import Brat
from nadie.files.source import STDIN, FileList
from nadie.options import DetectionOptions, Mode, Spans
from nadie.risk.bounds import notes_needed, weighted
from nadie.risk.drawing import Drawn, draw
from nadie.risk.drift import Profile
from nadie.risk.kinds import Kind, kind_of
from nadie.risk.misses import only_in_recall_mode
from nadie.risk.sample import Sample, SampledNote, StoppingRule, heaviest, text_hash
from nadie.run.documents import RunOptions
from nadie.run.pipeline import Pipeline, batches
from nadie.run.rewriting import FileReader, ReadOptions

BY = ("folder", "type", "language", "length", "uncertainty")
NOTES, UNSURE = "notes", "unsure"


@dataclass(frozen=True)
class SamplingOptions:
    """How a sample is drawn.

    `size` is the number of units; 0 takes as many as the rule needs if no leak is found. Units are notes, or with
    `patient`, the rule that identifies patients, all notes of a patient. Notes in which only recall mode finds
    something are drawn `oversampled` times as often. `unsure` is the number of further notes, those of which the model
    is least sure: they are reviewed to improve the model, and are not part of the sample.
    """

    size: int = 0
    seed: int = 1
    by: tuple[str, ...] = BY[:-1]
    oversampled: float = 1.0
    patient: str = ""
    rule: StoppingRule = field(default_factory=StoppingRule)
    model: str = "fast"
    unsure: int = 0
    reading: ReadOptions = field(default_factory=ReadOptions)
    detection: DetectionOptions = field(default_factory=DetectionOptions)

    def __post_init__(self) -> None:
        if unknown := set(self.by) - set(BY):
            raise ConfigError(f"a sample is spread by {', '.join(BY)}, not by {min(unknown)[:40]!r}")
        if not 1.0 <= self.oversampled <= 20.0:
            raise ConfigError("unsure notes can be drawn 1 to 20 times as often as others")
        if self.patient in ("auto", "none", "span"):
            raise ConfigError("patients must be known before the sample is drawn: by folder, id:PATTERN, meta or table")
        if self.needs_doubts and self.detection.mode is Mode.RECALL:
            raise ConfigError(
                "a note is unsure by what only recall mode finds, so recall mode itself leaves none unsure"
            )

    @property
    def needs_doubts(self) -> bool:
        return self.oversampled > 1 or "uncertainty" in self.by or self.unsure > 0


@dataclass
class _Frame:
    """What is known of every note before the sample is drawn, in the order of reading."""

    kinds: list[Kind] = field(default_factory=list)
    doubts: list[int] = field(default_factory=list)
    owners: list[str] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)


@dataclass(frozen=True)
class DrawnSample:
    """A sample, its documents with the spans found in them, and what could not be read and is not in it.

    `unsure` are the further documents of which the model is least sure.
    """

    sample: Sample
    documents: tuple[Document, ...]
    unsure: tuple[Document, ...]
    failures: tuple[Failure, ...]

    def write_brat(self, folder: Path) -> None:
        """Write the sample and its notes as brat files, to be reviewed in place."""
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name, documents, first in ((NOTES, self.documents, 1), (UNSURE, self.unsure, len(self.documents) + 1)):
            notes = [Document(f"{n:06d}", each.text, each.spans) for n, each in enumerate(documents, first)]
            if notes:
                Brat().write(notes, folder / name)
        self.sample.write(folder)


def draw_sample(paths: Sequence[Path], options: SamplingOptions) -> DrawnSample:
    """Read all notes once to know their kinds, draw, and read once more those that were drawn."""
    if STDIN in paths:
        raise ConfigError("a sample is drawn from files, which are read twice: standard input cannot be")
    balanced = _pipeline(options)
    recall = _pipeline(options, Mode.RECALL)
    frame = _frame(paths, options, balanced, recall)
    if not frame.kinds:
        raise ConfigError("there are no notes to draw a sample from")
    units = _units(frame, options)
    chosen = _chosen(frame, units, options)
    order = [(unit, each, number) for unit, each in enumerate(chosen) for number in units[each.number]]
    taken = [number for _, _, number in order]
    unsure = _least_sure(frame, set(taken), options.unsure)
    texts = _read_again(paths, options, {*taken, *unsure})
    found = list(balanced.annotate_all(texts[number] for number in taken))
    possible = [each.spans for each in recall.annotate_all(found)]
    notes = tuple(
        SampledNote(
            *(place, document.id, unit, each.chance, frame.kinds[number], document.spans, more),
            text_hash(document.text),
        )
        for place, ((unit, each, number), document, more) in enumerate(zip(order, found, possible, strict=True), 1)
    )
    sample = Sample(
        options.model,
        options.seed,
        "patient" if options.patient else "note",
        len(units),
        len(frame.kinds),
        options.oversampled,
        options.rule,
        datetime.now(UTC).date().isoformat(),
        notes,
        Profile.drawn(found, [note.chance for note in notes]).plain(),
        options.by,
        len(unsure),
        detection_of(balanced),
    )
    further = balanced.annotate_all(texts[number] for number in unsure)
    return DrawnSample(sample, tuple(found), tuple(further), tuple(frame.failures))


def profile_of(paths: Sequence[Path], options: SamplingOptions, most: int, sample: Sample) -> Profile:
    """The profile of the first notes of some files, for a comparison with a sample, with the same options as that."""
    pipeline, profile = _pipeline(options), Profile()
    if sample.detection and sample.detection != detection_of(pipeline):
        raise ConfigError("the sample was drawn with other options about detection: give those, or draw a new one")
    documents = (item for item in _items(paths, options) if isinstance(item, Document))
    for document in pipeline.annotate_all(islice(documents, most)):
        profile.add(document)
    return profile


def detection_of(pipeline: Pipeline) -> dict[str, Any]:
    """The options about detection of a pipeline, with the sizes of lists in place of the names of their files."""
    options: dict[str, Any] = pipeline.about["detection"]
    return {name: value for name, value in options.items() if not name.endswith("_file")}


def _pipeline(options: SamplingOptions, mode: Mode | None = None) -> Pipeline:
    chosen = options.detection if mode is None else replace(options.detection, mode=mode)
    return RunOptions(options.model, chosen).pipeline()


def _chosen(frame: _Frame, units: list[list[int]], options: SamplingOptions) -> list[Drawn]:
    by = [BY.index(name) for name in options.by]
    facts = [(*frame.kinds[unit[0]], any(frame.doubts[number] for number in unit)) for unit in units]
    sizes = [options.oversampled if fact[-1] else 1.0 for fact in facts]
    kinds = [tuple(fact[place] for place in by) for fact in facts]
    rule = options.rule
    count = options.size or notes_needed(rule.at_most, level=rule.level)
    drawn = draw(kinds, sizes, count, options.seed)
    while not options.size and len(drawn) < len(kinds) and _without_leak(drawn, options) > rule.at_most:
        count += max(1, count // 50)  # the bound is wider where chances differ
        drawn = draw(kinds, sizes, count, options.seed)
    return drawn


def _without_leak(drawn: Sequence[Drawn], options: SamplingOptions) -> float:
    """The bound that the sample states if no leak is found in it."""
    chances = [each.chance for each in drawn]
    weights, none, ones = [1 / chance for chance in chances], [0.0] * len(chances), [1.0] * len(chances)
    return weighted(none, ones, weights, options.rule.level, heaviest(chances, options.oversampled)).at_most


def _least_sure(frame: _Frame, taken: set[int], count: int) -> list[int]:
    """The notes outside the sample with the most spans that only recall mode finds."""
    left = [number for number, doubts in enumerate(frame.doubts) if doubts and number not in taken]
    return sorted(left, key=lambda number: (-frame.doubts[number], number))[:count]


def _frame(paths: Sequence[Path], options: SamplingOptions, balanced: Pipeline, recall: Pipeline) -> _Frame:
    frame, patient = _Frame(), patient_by(options.patient or "none")
    for batch in batches(_items(paths, options)):
        documents = [item for item in batch if isinstance(item, Document)]
        frame.failures += [item for item in batch if isinstance(item, Failure)]
        frame.kinds += [kind_of(each.id, each.text) for each in documents]
        frame.owners += [patient(each) for each in documents]
        if options.needs_doubts:
            pairs = zip(balanced.annotate_all(documents), recall.annotate_all(documents), strict=True)
            frame.doubts += [len(only_in_recall_mode(one.spans, more.spans)) for one, more in pairs]
        else:
            frame.doubts += [0] * len(documents)
    return frame


def _units(frame: _Frame, options: SamplingOptions) -> list[list[int]]:
    """The numbers of the notes of each unit."""
    if not options.patient:
        return [[number] for number in range(len(frame.kinds))]
    units: dict[str, list[int]] = defaultdict(list)
    for number, owner in enumerate(frame.owners):
        units[owner or f"\0{number}"].append(number)
    return list(units.values())


def _read_again(paths: Sequence[Path], options: SamplingOptions, wanted: set[int]) -> dict[int, Document]:
    readable = (item for item in _items(paths, options) if isinstance(item, Document))
    found = {number: document for number, document in enumerate(readable) if number in wanted}
    if len(found) < len(wanted):
        raise ConfigError("the notes changed while the sample was drawn: draw it again")
    return found


def _items(paths: Iterable[Path], options: SamplingOptions) -> Iterator[Document | Failure]:
    for _, item in FileReader(FileList(list(paths)), replace(options.reading, spans=Spans.FOUND)).texts():
        if isinstance(item, Failure) or item.text.strip():
            yield item
