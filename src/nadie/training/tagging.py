"""Sequence tagging as a task for the loop: windows of annotated notes in, dev F1 out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor, nn

from nadie.crf.viterbi import Chain
from nadie.document import Document, Span
from nadie.neural.config import TaggerConfig, WindowSizes
from nadie.neural.encoding import Batch, collate, encode, units_of, windows_of
from nadie.neural.model import Calibration
from nadie.neural.tagger import Network, Scores, SequenceTagger
from nadie.neural.vocabulary import Vocabulary
from nadie.nn.crf import LinearChainCRF
from nadie.tokens.codec import Chunk, decode
from nadie.tokens.view import seen
from nadie.training.examples import TrainingWindow, WindowBatches
from nadie.training.onnx_graph import Graph
from nadie.training.records import dev_figures

_ROWS = 48


class TaggingNetwork(Protocol):
    """A network whose outputs have `emissions` (B, T, K) for its CRF, and a loss for gold tags (B, T)."""

    crf: LinearChainCRF

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]: ...

    def loss(self, outputs: Mapping[str, Tensor], tags: Tensor, mask: Tensor) -> Tensor: ...

    def to_graph(self, graph: Graph) -> None: ...


class DevSet:
    """Annotated documents to score a tagger on; windows are batched across documents, which is much faster."""

    def __init__(self, documents: Sequence[Document], reading: WindowSizes) -> None:
        self.documents = [seen(document) for document in documents]
        self.encoded = [encode(document.text, reading.tokens) for document in self.documents]
        numbers: dict[str, int] = {}
        self._kinds = []
        for encoded in self.encoded:
            own = np.array([numbers.setdefault(form, len(numbers)) for form in encoded.forms], dtype=np.int64)
            self._kinds.append(own[encoded.kinds] if len(own) else encoded.kinds)
        self._forms = list(numbers)

    def emissions(self, tagger: SequenceTagger) -> list[Scores]:
        """(T, K) for every document."""
        found = [np.empty((len(e.tokens), len(tagger.tags)), dtype=np.float32) for e in self.encoded]
        forms = tagger.vocabulary.forms(self._forms)
        windows = [(i, window) for i, e in enumerate(self.encoded) for window in windows_of(e, tagger.reading)]
        windows.sort(key=lambda item: item[1].stop - item[1].first)
        for begin in range(0, len(windows), _ROWS):
            some = windows[begin : begin + _ROWS]
            rows = [(self._kinds[i][w.first : w.stop], self.encoded[i].spacing[w.first : w.stop]) for i, w in some]
            scores = tagger.network(collate(rows, forms))["emissions"]
            for row, (i, w) in enumerate(some):
                found[i][w.begin : w.end] = scores[row, w.begin - w.first : w.end - w.first]
        return found

    def tagged(self, tagger: SequenceTagger) -> Iterator[tuple[Document, tuple[Span, ...]]]:
        """Every document as annotated, and the spans that the tagger finds in it."""
        if not self.documents:
            return
        cuts = [units_of(encoded, tagger.reading) for encoded in self.encoded]
        scores = zip(self.emissions(tagger), cuts, strict=True)
        paths = iter(tagger.chain.best_paths([each[a:b] for each, units in scores for a, b in units]))
        for gold, encoded, units in zip(self.documents, self.encoded, cuts, strict=True):
            decoded = [(a, chunk) for a, _ in units for chunk in decode([tagger.tags[tag] for tag in next(paths)])]
            chunks = [(Chunk(chunk.first + a, chunk.stop + a, chunk.label), 1.0) for a, chunk in decoded]
            yield gold, tagger.as_spans(encoded, chunks, "")

    def answers(self, tagger: SequenceTagger) -> list[tuple[float, bool]]:
        """The probability of every span that the tagger finds, before calibration, and whether it is correct."""
        found: list[tuple[float, bool]] = []
        tagged = tagger.tag(self.encoded, self.emissions(tagger)) if self.documents else []
        for gold, encoded, chunks in zip(self.documents, self.encoded, tagged, strict=True):
            right = (span in gold.spans for span in tagger.as_spans(encoded, chunks, ""))
            found += zip((probability for _, probability in chunks), right, strict=True)
        return found


@dataclass(frozen=True)
class TagBatch:
    """A batch and its gold tags (B, T)."""

    batch: Batch
    tags: Tensor


class TaggingTask:
    """Windows of annotated documents to train on, and `dev` to score."""

    def __init__(
        self, network: nn.Module, windows: WindowBatches, dev: DevSet, vocabulary: Vocabulary, config: TaggerConfig
    ) -> None:
        self.network = network
        self.windows = windows
        self.dev = dev
        self.vocabulary = vocabulary
        self.config = config

    @property
    def tagger_network(self) -> TaggingNetwork:
        return self.network  # type: ignore[return-value]

    def batches(self, epoch: int) -> list[TagBatch]:
        return [TagBatch(batch, _tags(windows, batch)) for windows, batch in self.windows.of_epoch(epoch)]

    def forward(self, batch: TagBatch) -> tuple[dict[str, Tensor], Tensor]:
        inputs = as_tensors(batch.batch)
        outputs = self.tagger_network.outputs(inputs)
        with torch.autocast("cpu", enabled=False):
            exact = {name: value.float() for name, value in outputs.items()}
            loss = self.tagger_network.loss(exact, batch.tags, mask_of(inputs))
        return exact, loss

    def tagger(self) -> SequenceTagger:
        """The network in its present state, ready for inference."""
        return SequenceTagger(
            torch_network(self.network, low=self.config.optimisation.precision == "bfloat16"),
            self.vocabulary,
            self.windows.examples.tag_names,
            chain_of(self.tagger_network.crf),
            self.config.reading,
            Calibration(),
        )

    def evaluate(self) -> Mapping[str, float]:
        return dev_figures(self.dev.tagged(self.tagger()))


def _tags(windows: Sequence[TrainingWindow], batch: Batch) -> Tensor:
    tags = torch.zeros(batch.kinds.shape, dtype=torch.long)
    for row, window in enumerate(windows):
        tags[row, : window.end - window.begin] = torch.from_numpy(window.example.tags[window.begin : window.end])
    return tags


def as_tensors(batch: Batch) -> dict[str, Tensor]:
    return {name: torch.from_numpy(values) for name, values in batch.inputs().items()}


def mask_of(inputs: Mapping[str, Tensor]) -> Tensor:
    """(B, T): which positions have a token."""
    return torch.arange(inputs["kinds"].shape[1]).unsqueeze(0) < inputs["lengths"].unsqueeze(1)


def chain_of(crf: LinearChainCRF) -> Chain:
    between, start, end = (scores.detach().double().numpy() for scores in crf.steps())
    return Chain(between, start, end)


def torch_network(network: nn.Module, *, low: bool = False) -> Network:
    """A torch network used like an ONNX network; with `low`, its products are in bfloat16."""

    def run(batch: Batch) -> dict[str, Scores]:
        network.eval()
        with torch.no_grad(), torch.autocast("cpu", dtype=torch.bfloat16, enabled=low):
            outputs = network.outputs(as_tensors(batch))  # type: ignore[operator]
        return {name: values.float().numpy() for name, values in outputs.items()}

    return run
