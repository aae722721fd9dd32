"""What a detector is, and what a detector that can be trained is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol, Self, runtime_checkable

from nadie.document import Document, Span
from nadie.storage import ModelFolder
from nadie.tokens.tokenizer import Token

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


@runtime_checkable
class Detector(Protocol):
    """Finds spans in documents.

    `detect` gives one tuple of spans for each document, in order; what it gives does not depend on the other
    documents of the call, nor on any spans the documents already carry. Overlaps are allowed: `resolve/` settles them.
    """

    name: str

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...


@runtime_checkable
class Leaning(Protocol):
    """A detector that can be made to find more, or less, than it would by itself."""

    def leaning(self, towards: float) -> Self:
        """The same detector with the odds of each token being protected multiplied by e to the power of `towards`."""
        ...


@dataclass(frozen=True)
class Belief:
    """What a detector believes of every token of a text: the probability of each tag, in BIO."""

    tokens: Sequence[Token]
    tags: tuple[str, ...]
    probabilities: npt.NDArray[np.float32]  # (tokens, tags)


@runtime_checkable
class Believing(Protocol):
    """A detector that can be asked what it believes of each token, as `tokenize` cuts the text."""

    def beliefs(self, documents: Sequence[Document]) -> list[Belief]: ...


class Progress(Protocol):
    """What a long training tells whoever watches: a bar, a log, or nobody."""

    def start(self, task: str, total: int) -> None: ...

    def advance(self, done: int, **figures: float) -> None: ...


class Trainable(Protocol):
    """A detector that learns from annotated documents and lives in a model folder."""

    system: ClassVar[str]
    name: str

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...

    @classmethod
    def train(
        cls,
        train: Sequence[Document],
        dev: Sequence[Document],
        *,
        settings: Mapping[str, Any],
        seed: int,
        work: Path,
        progress: Progress,
    ) -> Self:
        """Learn from `train`. `dev` may be empty; where given, it is only for choosing and reporting.

        `work` is a folder for checkpoints: a training that was cut off goes on from there.
        """
        ...

    @classmethod
    def load(cls, folder: ModelFolder) -> Self: ...

    def save(self, path: Path, card: Mapping[str, Any]) -> None: ...
