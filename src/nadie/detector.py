"""The protocols of detectors: detection, bias, token probabilities, teaching, training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from nadie.document import Document, Span
from nadie.registry import Registry
from nadie.storage import ModelFolder, find_model, named_models, read_model, shipped_models
from nadie.tokens.probabilities import TokenProbabilities


@runtime_checkable
class Detector(Protocol):
    """Finds spans in documents.

    `detect` returns one tuple of spans for each document, in order. The spans of a document do not depend on the other
    documents of the call, nor on any spans the document already has. Overlaps are allowed: `resolve/` settles them.
    """

    name: str

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...


@runtime_checkable
class Biased(Protocol):
    """A detector whose operating point can be shifted to find more or less."""

    def with_bias(self, bias: float) -> Self:
        """The same detector with `bias` added to the log-odds of each token being PHI, in addition to its own bias."""
        ...


@runtime_checkable
class ReadsTwice(Protocol):
    """A detector that finds spans at two operating points for little more than the time of one."""

    def detect_twice(
        self, documents: Sequence[Document], bias: float, least: float
    ) -> list[tuple[tuple[Span, ...], ...]]:
        """For each document what `detect` gives, about what it gives with this bias, and suspected words.

        These are all words that are names with at least the probability `least`, found or not.
        """
        ...


@runtime_checkable
class Probabilistic(Protocol):
    """A detector that gives the probability of every BIO tag at each token of `tokenize`."""

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]: ...


@runtime_checkable
class Teacher(Detector, Probabilistic, Protocol):
    """A detector whose spans and probabilities can be used to train another (see `nadie distil`)."""

    def unbiased(self) -> Self:
        """The same detector without any bias, so that a distilled model does not learn the bias."""
        ...


class Progress(Protocol):
    """Receives the progress of a training: a progress bar, a log, or nothing."""

    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


@dataclass(frozen=True)
class TrainingRun:
    """The inputs of a training besides its options.

    `dev` may be empty; it is only used to choose an epoch and to report scores. `work` is a folder for checkpoints,
    from which an interrupted training continues.
    """

    train: Sequence[Document]
    dev: Sequence[Document]
    seed: int
    work: Path
    progress: Progress


class Trainable(Protocol):
    """A detector that is trained on annotated documents and stored in a model folder."""

    system: ClassVar[str]
    name: str

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...

    @classmethod
    def train(cls, run: TrainingRun, options: Mapping[str, Any]) -> Self: ...

    @classmethod
    def load(cls, folder: ModelFolder) -> Self: ...

    def save(self, path: Path, card: Mapping[str, Any]) -> None: ...


DETECTORS: Registry[type[Any]] = Registry("nadie.detectors", "detector")
"""Classes of detectors. One with a method `load` needs a model folder; any other is called without arguments."""


@dataclass(frozen=True)
class Model:
    """What a name stands for: a model folder and the system that loads it, or a detector that needs no folder."""

    name: str
    system: str
    folder: ModelFolder | None = None

    @classmethod
    def of(cls, name: str) -> Self:
        """The shipped model or the detector of that name, otherwise the model folder at that path."""
        if name not in shipped_models() and name in DETECTORS.names() and not hasattr(DETECTORS.get(name), "load"):
            return cls(name, name)
        folder = read_model(find_model(name))
        return cls(folder.name, folder.system, folder)

    @property
    def reference(self) -> str:
        """The name or the path by which another model refers to this one."""
        if self.folder is None or self.name in named_models():
            return self.name
        return str(self.folder.path.resolve())

    @property
    def card(self) -> Mapping[str, Any]:
        return self.folder.card if self.folder else {"version": DETECTORS.version(self.system)}

    def detector(self) -> Detector:
        made = DETECTORS.get(self.system)
        detector: Detector = made.load(self.folder) if self.folder else made()
        return detector
