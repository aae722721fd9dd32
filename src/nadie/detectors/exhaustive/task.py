"""Learning to classify spans, as a task for the training loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import Tensor, nn

from nadie.detectors.exhaustive.config import ExhaustiveConfig
from nadie.detectors.exhaustive.gold import chunks_of
from nadie.detectors.exhaustive.network import ExhaustiveNetwork
from nadie.detectors.exhaustive.targets import Sampling, Targets, targets_of
from nadie.detectors.neural.encoding import Batch, Ints, collate, training_windows
from nadie.detectors.neural.vocabulary import UNKNOWN_WORD, Vocabulary
from nadie.tokens.codec import Chunk
from nadie.training.batching import bucketed
from nadie.training.examples import Examples, SeenDocument
from nadie.training.tagging import as_tensors


@dataclass(frozen=True)
class Example:
    """A note to learn from, and its entities."""

    note: SeenDocument
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True)
class Window:
    """Tokens `begin` up to `end` of a note, with the entities that lie in them, counted from `begin`."""

    note: SeenDocument
    begin: int
    end: int
    chunks: tuple[Chunk, ...]


@dataclass(frozen=True)
class TrainingBatch:
    batch: Batch
    targets: Targets


@dataclass(frozen=True)
class Material:
    """What all variants learn from: notes and copies, the vocabulary, the classes of the labels, and the draw."""

    examples: Examples
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    sampling: Sampling


class SpanTask:
    """Windows of notes to learn from; `measure` gives dev figures of the network as it stands."""

    def __init__(
        self,
        network: ExhaustiveNetwork,
        material: Material,
        config: ExhaustiveConfig,
        measure: Callable[[ExhaustiveNetwork], Mapping[str, float]],
        seed: int,
    ) -> None:
        self.network: nn.Module = network
        self._spans = network
        self.material = material
        self.config = config
        self.seed = seed
        self._measure = measure
        self._kinds = {label: i for i, label in enumerate(material.labels, 1)}
        self._notes = _examples(material.examples.documents)
        self._forms = material.vocabulary.forms(material.examples.forms)
        counts = Counter(chunk.label for example in self._notes for chunk in example.chunks)
        self._rare = {label for label in material.labels if counts[label] < config.rare_limit}

    def batches(self, epoch: int) -> list[TrainingBatch]:
        rng = np.random.default_rng([self.seed, epoch])
        windows = self._windows(self._notes, self.config.kept_share, rng)
        copies = self.material.examples.copies_in(epoch, self.config.copies_at_once)
        windows += self._windows(_examples(copies), self.config.kept_of_copies, rng)
        groups = bucketed([window.end - window.begin for window in windows], self.config.batch_tokens, rng)
        return [self._batch([windows[i] for i in group], rng) for group in groups]

    def forward(self, batch: TrainingBatch) -> tuple[Tensor, Tensor]:
        """Scores (N, K) of the spans drawn, and the loss: their weighted cross entropy for each token of the batch."""
        targets = batch.targets
        scores = self._spans.some(as_tensors(batch.batch), torch.from_numpy(targets.cells))
        with torch.autocast("cpu", enabled=False):
            exact = scores.float()
            losses = nn.functional.cross_entropy(exact, torch.from_numpy(targets.kinds), reduction="none")
            return exact, (losses * torch.from_numpy(targets.weights)).sum() / float(batch.batch.lengths.sum())

    def evaluate(self) -> Mapping[str, float]:
        return self._measure(self._spans)

    def _windows(self, examples: Sequence[Example], kept: float, rng: np.random.Generator) -> list[Window]:
        """New windows for an epoch: all that hold an entity, rare ones more than once, and a share of the rest."""
        size = self.config.train_window
        found: list[Window] = []
        for example in examples:
            first = int(rng.integers(size // 4, size + 1))
            for begin, end in training_windows(example.note.starts, len(example.note.kinds), size, first):
                chunks = tuple(
                    Chunk(c.first - begin, c.stop - begin, c.label)
                    for c in example.chunks
                    if begin <= c.first and c.stop <= end
                )
                if chunks or rng.random() < kept:
                    rare = any(chunk.label in self._rare for chunk in chunks)
                    found += [Window(example.note, begin, end, chunks)] * (1 + rare * self.config.rare_repeats)
        return found

    def _batch(self, windows: Sequence[Window], rng: np.random.Generator) -> TrainingBatch:
        rows = []
        for window in windows:
            part = slice(window.begin, window.end)
            kinds, spacing = window.note.kinds[part], window.note.spacing[part]
            if rng.random() < self.config.variety:
                kinds, spacing = self.material.examples.varied(kinds, spacing, rng)
            rows.append((kinds, spacing))
        batch = collate(rows, replace(self._forms, words=self._partly_hidden(rng)))
        chunks = [window.chunks for window in windows]
        return TrainingBatch(batch, targets_of(chunks, batch.lengths, self._kinds, self.material.sampling, rng))

    def _partly_hidden(self, rng: np.random.Generator) -> Ints:
        """The words of all forms; one seen n times is unknown with probability a / (a + n)."""
        words, hide = self._forms.words, self.config.word_dropout
        if not hide:
            return words
        chance = hide / (hide + np.maximum(1, self.material.examples.counts))
        return np.where(rng.random(len(words)) < chance, UNKNOWN_WORD, words)


def _examples(notes: Sequence[SeenDocument]) -> list[Example]:
    return [Example(note, tuple(chunks_of(note.encoded.tokens, note.document.spans))) for note in notes]
