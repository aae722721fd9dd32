"""The protocols of detectors: detection, bias, token probabilities, teaching, training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Protocol, Self, runtime_checkable

from nadie.document import Document, Span
from nadie.registry import Registry
from nadie.storage import ModelFolder
from nadie.tokens.probabilities import TokenProbabilities


@runtime_checkable
class Detector(Protocol):
    """Finds spans in documents.

    `detect` gives one tuple of spans for each document, in order; what it gives does not depend on the other
    documents of the call, nor on any spans the documents already have. Overlaps are allowed: `resolve/` settles them.
    """

    name: str

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...


@runtime_checkable
class Biased(Protocol):
    """A detector that can be made to find more, or less, than it would by itself."""

    def with_bias(self, bias: float) -> Self:
        """The same detector with `bias` added to the log-odds of each token being protected, on top of its own bias."""
        ...


@runtime_checkable
class Probabilistic(Protocol):
    """A detector that gives the probability of every BIO tag at each token of `tokenize`."""

    def token_probabilities(self, documents: Sequence[Document]) -> list[TokenProbabilities]: ...


@runtime_checkable
class Teacher(Detector, Probabilistic, Protocol):
    """A detector from whose spans and probabilities another can learn (`nadie distil`)."""

    def unbiased(self) -> Self:
        """The same detector without any bias, so that it does not teach what only its bias finds."""
        ...


class Progress(Protocol):
    """What a training reports to: a progress bar, a log, or nothing."""

    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


@dataclass(frozen=True)
class TrainingRun:
    """What a training is given besides its settings.

    `dev` may be empty; it only serves to choose an epoch and to report. `work` is a folder for checkpoints, from which
    an interrupted training goes on.
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
    def train(cls, run: TrainingRun, settings: Mapping[str, Any]) -> Self: ...

    @classmethod
    def load(cls, folder: ModelFolder) -> Self: ...

    def save(self, path: Path, card: Mapping[str, Any]) -> None: ...


DETECTORS: Registry[type[Trainable]] = Registry("nadie.detectors", "detector")
