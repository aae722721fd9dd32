"""Sequence tagging as a task for the loop: windows of annotated notes in, dev F1 out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from nadie.crf.viterbi import Chain
from nadie.detectors.neural.confidence import Calibration
from nadie.detectors.neural.config import TaggerConfig
from nadie.detectors.neural.encoding import Batch, collate, training_windows
from nadie.detectors.neural.tagger import Network, Reading, Scores, Tagger
from nadie.detectors.neural.vocabulary import UNKNOWN_WORD, Vocabulary
from nadie.evaluation.official import Counts, subtask1
from nadie.evaluation.pairing import Pair
from nadie.nn.crf import LinearChainCRF
from nadie.training.batching import bucketed
from nadie.training.devset import DevSet
from nadie.training.examples import Examples, SeenDocument


class TaggingNetwork(Protocol):
    """A network whose outputs have `emissions` (B, T, K) for its CRF, and a loss for gold tags (B, T)."""

    crf: LinearChainCRF

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]: ...

    def loss(self, outputs: Mapping[str, Tensor], tags: Tensor, mask: Tensor) -> Tensor: ...


@dataclass(frozen=True)
class TrainingBatch:
    """A batch and its gold tags (B, T)."""

    batch: Batch
    tags: Tensor


class TaggingTask:
    """Windows of `examples` to learn from, `dev` to be measured on."""

    def __init__(
        self,
        network: nn.Module,
        examples: Examples,
        dev: DevSet,
        vocabulary: Vocabulary,
        config: TaggerConfig,
        seed: int,
    ) -> None:
        self.network = network
        self.examples = examples
        self.dev = dev
        self.vocabulary = vocabulary
        self.config = config
        self.seed = seed
        self._forms = vocabulary.forms(examples.forms)

    @property
    def tagger_network(self) -> TaggingNetwork:
        return self.network  # type: ignore[return-value]

    def batches(self, epoch: int) -> list[TrainingBatch]:
        rng = np.random.default_rng([self.seed, epoch])
        windows = self._windows(self.examples.documents, self.config.kept_share, rng)
        copies = self.examples.copies_in(epoch, self.config.copies_at_once)
        windows += self._windows(copies, self.config.kept_of_copies, rng)
        groups = bucketed([end - begin for _, begin, end in windows], self.config.batch_tokens, rng)
        return [self._batch([windows[i] for i in group], rng) for group in groups]

    def _windows(
        self, documents: Sequence[SeenDocument], kept: float, rng: np.random.Generator
    ) -> list[tuple[SeenDocument, int, int]]:
        """New windows for an epoch: all that hold an entity, and a share of the rest."""
        size = self.config.train_window
        found = []
        for example in documents:
            first = int(rng.integers(size // 4, size + 1))
            for begin, end in training_windows(example.starts, len(example.tags), size, first):
                if rng.random() < kept or example.tags[begin:end].any():
                    found.append((example, begin, end))
        return found

    def _batch(self, windows: Sequence[tuple[SeenDocument, int, int]], rng: np.random.Generator) -> TrainingBatch:
        rows = []
        for example, begin, end in windows:
            kinds, spacing = example.kinds[begin:end], example.spacing[begin:end]
            if rng.random() < self.config.variety:
                kinds, spacing = self.examples.varied(kinds, spacing, rng)
            rows.append((kinds, spacing))
        words = self._forms.words
        hide = self.config.word_dropout
        chance = hide / (hide + np.maximum(1, self.examples.counts)) if hide else np.zeros(len(words))
        hidden = rng.random(len(words)) < chance
        batch = collate(rows, replace(self._forms, words=np.where(hidden, UNKNOWN_WORD, words)))
        tags = torch.zeros(batch.kinds.shape, dtype=torch.long)
        for row, (example, begin, end) in enumerate(windows):
            tags[row, : end - begin] = torch.from_numpy(example.tags[begin:end])
        return TrainingBatch(batch, tags)

    def forward(self, batch: TrainingBatch) -> tuple[dict[str, Tensor], Tensor]:
        inputs = as_tensors(batch.batch)
        outputs = self.tagger_network.outputs(inputs)
        with torch.autocast("cpu", enabled=False):
            exact = {name: value.float() for name, value in outputs.items()}
            loss = self.tagger_network.loss(exact, batch.tags, mask_of(inputs))
        return exact, loss

    def tagger(self) -> Tagger:
        """The network as it stands, ready to read texts."""
        return Tagger(
            torch_network(self.network, low=self.config.precision == "bfloat16"),
            self.vocabulary,
            self.examples.tag_names,
            chain_of(self.tagger_network.crf),
            Reading(self.config.window, self.config.context),
            Calibration(self.config.calibration_slope, self.config.calibration_offset),
        )

    def evaluate(self) -> Mapping[str, float]:
        counts = Counts()
        for gold, found in self.dev.tagged(self.tagger()):
            counts += subtask1(Pair(gold, found))
        if counts == Counts():
            return {}
        return {"precision": counts.precision, "recall": counts.recall, "f1": counts.f1}


def as_tensors(batch: Batch) -> dict[str, Tensor]:
    return {name: torch.from_numpy(values) for name, values in batch.inputs().items()}


def mask_of(inputs: Mapping[str, Tensor]) -> Tensor:
    """(B, T): which places hold a token."""
    return torch.arange(inputs["kinds"].shape[1]).unsqueeze(0) < inputs["lengths"].unsqueeze(1)


def chain_of(crf: LinearChainCRF) -> Chain:
    between, start, end = (scores.detach().double().numpy() for scores in crf.steps())
    return Chain(between, start, end)


def torch_network(network: nn.Module, *, low: bool = False) -> Network:
    """A torch network in the place where an ONNX file will be; with `low`, its products are in bfloat16."""

    def run(batch: Batch) -> dict[str, Scores]:
        network.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=low):
            outputs = network.outputs(as_tensors(batch))  # type: ignore[operator]
        return {name: values.float().numpy() for name, values in outputs.items()}

    return run
