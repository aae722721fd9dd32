"""Adapting a model to reviewed notes: fitted, cross-validated, compared with its base, and stored if it is better."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol, Self, cast

from nadie.augment import synthetic_notes
from nadie.detector import DETECTORS, Biased, Detector, Model, Progress, TrainingRun
from nadie.detectors.adapted.fitting import fit_adapted
from nadie.document import Document
from nadie.errors import ConfigError, MissingExtraError
from nadie.evaluation.evaluate import Difference, Evaluation, compare, evaluate
from nadie.evaluation.suite.runner import load_notes
from nadie.run.folds import folds_of
from nadie.run.pipeline import Pipeline
from nadie.run.spending import STEPS, affordable, remembered
from nadie.storage import checksum_of, read_model
from nadie.tokens.view import seen

AUTO, LISTS, LAYER, NETWORK = "auto", "lists", "layer", "network"
_LEAST = 10
_SYNTHETIC = 120
_KEPT = 60
_SHOWN = ("characters.recall", "characters.precision", "documents.safe_share", "subtask1.f1", "strict.f1")
_GUARDED = ("characters.recall", "subtask1.f1")
_TOLERATED = 0.005
_SIGNIFICANT = 0.05
_TRAINING = {
    "teacher": "",
    "auxiliary": "",
    "vectors": "",
    "gazetteer": "",
    "epochs": 8,
    "learning_rate": 0.001,
    "warmup": 10,
    "patience": 0,
    "copies": 3,
    "copies_at_once": 1,
}
"""The training of a network that continues: short and slow, without what its first training needed."""


class Savable(Detector, Biased, Protocol):
    """A detector with a bias that can be stored as a model folder."""

    def save(self, path: Path, card: Mapping[str, Any]) -> None: ...


@dataclass(frozen=True)
class AdaptOptions:
    """How a model is adapted.

    `method` is `lists` (staff and centres), `layer` (lists, and a layer over the tags in numpy), `auto` (the layer, or
    the lists alone if it is refused) or `network` (its training continues, in PyTorch).
    `replay` are annotated notes of other kinds, so that nothing is forgotten; without any, invented ones are used.
    """

    base: str = "fast"
    method: str = AUTO
    replay: Sequence[Document] = ()
    folds: int = 5
    seed: int = 1


@dataclass(frozen=True)
class Adaptation:
    """An adapted model, and how it compares with its base on held-out own notes and on the notes of the package."""

    model: Savable
    base: Model
    options: AdaptOptions
    notes: int
    own: Mapping[str, Difference]
    suite: Mapping[str, Difference]
    reasons: tuple[str, ...] = field(default=())

    @property
    def is_better(self) -> bool:
        return not self.reasons

    def card(self, accepted_by: str) -> dict[str, Any]:
        """What the model is: base, counts, figures, and who accepted it; no text."""
        base = self.base.card
        return {
            "purpose": f"{self.base.name}, adapted to own notes",
            "base": self.base.name,
            "base_sha256": checksum_of(self.base.folder.path) if self.base.folder else "",
            "method": self.options.method,
            "trained_on": f"{self.notes} reviewed notes, {len(replayed(self.options)[0])} notes of other kinds",
            "trained_at": datetime.now(UTC).date().isoformat(),
            "accepted_by": accepted_by,
            "accepted_against": list(self.reasons),
            "seed": self.options.seed,
            "version": str(base.get("version", "")),
            "data_licence": "the centre's own notes: the model must not leave it without a decision of its owner",
            "modes": {name: {"bias": mode["bias"]} for name, mode in base.get("modes", {}).items()},
            "scores": {"own": _figures(self.own), "suite": _figures(self.suite)},
        }

    def lines(self) -> Iterator[str]:
        """Before and after, one score a line."""
        for where, differences in (("own notes, held out", self.own), ("notes of the package", self.suite)):
            for name in _SHOWN:
                yield f"{where}, {name}: {_told(differences[name])}"
        yield from self.reasons


def adapt(notes: Sequence[Document], options: AdaptOptions, progress: Progress, work: Path) -> Adaptation:
    """Adapt a model to reviewed notes. Files of a training are written to `work`."""
    if len(notes) < _LEAST:
        raise ConfigError(f"{len(notes)} notes are reviewed; at least {_LEAST} are needed to adapt a model")
    if options.method == AUTO:
        first = adapt(notes, replace(options, method=LAYER), progress, work)
        return first if first.is_better else adapt(notes, replace(options, method=LISTS), progress, work)
    base, others = Model.of(options.base), load_notes()
    before, fit = base.detector(), fitting(base, options, progress, work)
    held_out = _Trials.of(before, notes, options)
    progress.start("adapting", len(held_out.folds) + 2)
    for fold, ids in enumerate(held_out.folds):
        held_out.add(fit([note for note in notes if note.id not in ids], f"fold{fold}"), ids)
        progress.advance(1)
    model = fit(notes, "all")
    kept = _Trials.of(before, replayed(options)[1], replace(options, folds=1))
    kept.add(model, kept.folds[0])
    most = remembered(kept.evaluations, kept.before)
    progress.advance(1)
    model = model.with_bias(min(most, affordable(held_out.evaluations, held_out.before)))
    own = compare(held_out.before, held_out.chosen(most))
    suite = compare(*(evaluate(others, list(_annotated(each, others))) for each in (before, model)))
    progress.advance(1)
    return Adaptation(model, base, options, len(notes), own, suite, tuple(_worse(own, suite)))


@dataclass(frozen=True)
class _Trials:
    """Notes in folds, each annotated by a model that has not seen its fold, with every bias that may be affordable."""

    notes: Sequence[Document]
    folds: Sequence[Set[str]]
    before: Evaluation
    found: Mapping[float, dict[str, Document]]

    @classmethod
    def of(cls, before: Detector, notes: Sequence[Document], options: AdaptOptions) -> Self:
        folds = folds_of(notes, options.folds, options.seed)
        biases = STEPS if options.method != LISTS else STEPS[:1]
        return cls(notes, folds, evaluate(notes, list(_annotated(before, notes))), {bias: {} for bias in biases})

    def add(self, model: Savable, ids: Set[str]) -> None:
        """Annotate the notes with these ids."""
        some = [note for note in self.notes if note.id in ids]
        for bias, found in self.found.items():
            found.update((each.id, each) for each in _annotated(model.with_bias(bias), some))

    @cached_property
    def evaluations(self) -> dict[float, Evaluation]:
        """After the last fold: the evaluation with each bias."""
        return {bias: evaluate(self.notes, list(found.values())) for bias, found in self.found.items()}

    def chosen(self, most: float) -> Evaluation:
        """The evaluation of each fold with the bias that the other folds allow."""
        biases = {
            note: min(most, affordable(self.evaluations, self.before, fold)) for fold in self.folds for note in fold
        }
        return evaluate(self.notes, [self.found[bias][note] for note, bias in biases.items()])


Fitting = Callable[[Sequence[Document], str], Savable]


def fitting(base: Model, options: AdaptOptions, progress: Progress, work: Path) -> Fitting:
    """The function that adapts the base to some notes."""
    replay = replayed(options)[0]
    if options.method in (LISTS, LAYER):
        return lambda notes, name: fit_adapted(base, notes, replay, lists_only=options.method == LISTS)
    if options.method != NETWORK:
        raise ConfigError(f"a model is adapted by {AUTO}, {LISTS}, {LAYER} or {NETWORK}")
    if base.system != "convnet" or base.folder is None:
        raise ConfigError(
            f"the training of {base.name} cannot continue, only that of a convnet such as fast; give fast as the base,"
            f" or {AUTO} as the method, which fits a layer and lists to models with token probabilities, such as best"
        )
    if find_spec("torch") is None:
        raise MissingExtraError("adapting a network", "train")
    settings = {**base.folder.config, **_TRAINING, "start": str(base.folder.path)}

    def train(notes: Sequence[Document], name: str) -> Savable:
        own = [seen(note) for note in (*notes, *replay)]
        run = TrainingRun(own, (), options.seed, work / name, _Silence())
        return cast(Savable, DETECTORS.get(base.system).train(run, settings))

    return train


def replayed(options: AdaptOptions) -> tuple[list[Document], list[Document]]:
    """The notes of other kinds to learn from, and others that tell how much precision there may be spent."""
    notes = list(options.replay) or list(synthetic_notes(_SYNTHETIC + _KEPT, options.seed))
    held_out = min(_KEPT, len(notes) // 3)
    return notes[held_out:], notes[:held_out]


class _Silence:
    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


def _annotated(detector: Detector, notes: Sequence[Document]) -> Iterator[Document]:
    return Pipeline(detector).annotate_all(note.with_spans(()) for note in notes)


def _worse(own: Mapping[str, Difference], suite: Mapping[str, Difference]) -> Iterator[str]:
    """Why the model is not to be used: it covers no more of the own notes, or clearly less of others."""
    recall, f1 = (own[name].difference or 0.0 for name in _GUARDED)
    if recall < 0 or (recall == 0 and f1 <= 0):
        yield "refused: it covers no more of the identifiers in held-out own notes than its base"
    if f1 < 0 and own["subtask1.f1"].p < _SIGNIFICANT:
        yield "refused: it is less exact on held-out own notes than its base"
    for name in _GUARDED:
        lost = -(suite[name].difference or 0.0)
        if lost > _TOLERATED or (lost > 0 and suite[name].p < _SIGNIFICANT):
            yield f"refused: it forgets: {name} on the notes of the package is lower than that of its base"


def _told(each: Difference) -> str:
    if each.one is None or each.other is None or each.interval is None:
        return "–"
    low, high = each.interval
    return f"{each.one:.4f} to {each.other:.4f}, difference {low:+.4f} to {high:+.4f}, p = {each.p:.4f}"


def _figures(differences: Mapping[str, Difference]) -> dict[str, Any]:
    return {
        name: {"before": each.one, "after": each.other, "interval": each.interval, "p": each.p}
        for name, each in ((name, differences[name]) for name in _SHOWN)
    }


def install(adaptation: Adaptation, path: Path, accepted_by: str) -> Path | None:
    """Write the model folder. A folder that is already there is kept as `NAME.before`; return it."""
    before = path.with_name(f"{path.name}.before")
    if path.exists():
        read_model(path)  # only a model is ever replaced
        shutil.rmtree(before, ignore_errors=True)
        path.rename(before)
    adaptation.model.save(path, adaptation.card(accepted_by))
    return before if before.is_dir() else None


def roll_back(path: Path) -> None:
    """Exchange a model with the one that it replaced."""
    before = path.with_name(f"{path.name}.before")
    if not before.is_dir():
        raise ConfigError(f"there is no earlier model at {before}")
    read_model(before)
    aside = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    path.rename(aside / "model")
    before.rename(path)
    (aside / "model").rename(before)
    aside.rmdir()
