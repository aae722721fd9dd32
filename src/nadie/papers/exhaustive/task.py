"""Classification of spans, as a task for the training loop."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from nadie.neural.encoding import Batch
from nadie.neural.vocabulary import Vocabulary
from nadie.papers.exhaustive.config import ExhaustiveConfig
from nadie.papers.exhaustive.network import ExhaustiveNetwork
from nadie.papers.exhaustive.targets import Sampling, Targets, chunks_of, targets_of
from nadie.tokens.codec import Chunk
from nadie.training.examples import BatchSizes, Examples, TrainingWindow, WindowBatches
from nadie.training.tagging import as_tensors


@dataclass(frozen=True)
class SpanBatch:
    batch: Batch
    targets: Targets


@dataclass(frozen=True)
class SpanExamples:
    """The training data of all variants: notes and copies, vocabulary, classes of the labels, and sampling."""

    examples: Examples
    vocabulary: Vocabulary
    labels: tuple[str, ...]
    sampling: Sampling


class SpanTask:
    """Windows of notes to train on; `measure` returns the dev figures of the network in its present state."""

    def __init__(
        self,
        network: ExhaustiveNetwork,
        material: SpanExamples,
        config: ExhaustiveConfig,
        measure: Callable[[ExhaustiveNetwork], Mapping[str, float]],
        seed: int,
    ) -> None:
        self.network: nn.Module = network
        self._spans = network
        self._material = material
        self._measure = measure
        self._seed = seed
        self._windows = WindowBatches(
            material.examples,
            material.vocabulary,
            config.augmentation,
            BatchSizes(config.batch_tokens, config.batch_sequences),
            seed,
        )
        notes = material.examples.documents
        self._kinds = {label: i for i, label in enumerate(material.labels, 1)}
        self._chunks = {
            id(note): chunks_of(note.encoded.tokens, note.document.spans)
            for some in (notes, *material.examples.copies)
            for note in some
        }
        counts = Counter(chunk.label for note in notes for chunk in self._chunks[id(note)])
        self._rare = {label for label in material.labels if counts[label] < config.sampling.rare_limit}
        self._repeats = config.sampling.rare_repeats

    def batches(self, epoch: int) -> list[SpanBatch]:
        rng = np.random.default_rng([self._seed, epoch, 1])
        made = []
        for windows, batch in self._windows.of_epoch(epoch, self._times):
            chunks = [self._chunks_in(window) for window in windows]
            targets = targets_of(chunks, batch.lengths, self._kinds, self._material.sampling, rng)
            made.append(SpanBatch(batch, targets))
        return made

    def forward(self, batch: SpanBatch) -> tuple[Tensor, Tensor]:
        """Scores (N, K) of the sampled spans, and the loss: their weighted cross entropy per token of the batch."""
        targets = batch.targets
        scores = self._spans.some(as_tensors(batch.batch), torch.from_numpy(targets.cells))
        with torch.autocast("cpu", enabled=False):
            exact = scores.float()
            losses = nn.functional.cross_entropy(exact, torch.from_numpy(targets.kinds), reduction="none")
            return exact, (losses * torch.from_numpy(targets.weights)).sum() / float(batch.batch.lengths.sum())

    def evaluate(self) -> Mapping[str, float]:
        return self._measure(self._spans)

    def _times(self, window: TrainingWindow) -> int:
        """How often an epoch uses a window: windows with an entity of a rare type are repeated."""
        return 1 + self._repeats * any(chunk.label in self._rare for chunk in self._chunks_in(window))

    def _chunks_in(self, window: TrainingWindow) -> list[Chunk]:
        """The entities in a window, with offsets from its first token."""
        begin, end = window.begin, window.end
        own = self._chunks[id(window.example)]
        return [Chunk(c.first - begin, c.stop - begin, c.label) for c in own if begin <= c.first and c.stop <= end]
