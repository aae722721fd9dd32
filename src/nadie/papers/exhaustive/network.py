"""The network of Sohrab et al. (2019), in torch and in ONNX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor, nn

from nadie.neural.config import Storage
from nadie.nn.recurrent import BiLSTM
from nadie.nn.spans import LOWEST, SpanLayer
from nadie.nn.words import CharacterBiLSTM
from nadie.papers.exhaustive.config import ExhaustiveConfig, Variant
from nadie.papers.exhaustive.decoding import NO_ENTITY
from nadie.papers.exhaustive.reading import SPANS, VECTORS
from nadie.training.fitting import TaggerSizes, token_layer
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import array_of, bilstm, linear, token_representation

_TO_THE_END = np.iinfo(np.int64).max


@dataclass(frozen=True)
class SpanSizes(TaggerSizes):
    """Additionally, the maximum length of spans, and the number of classes, including "no entity"."""

    longest: int = 1
    classes: int = 1


class ExhaustiveNetwork(nn.Module):
    """[word vector; character BiLSTM; lexicon; spacing] → BiLSTM → spans → ReLU → classes (figures 1 to 3).

    "We feed the representation of each segmented region to a rectified linear unit" is interpreted as a layer of such
    units: a linear map to `span_hidden` (the paper's hidden size, 200), then ReLU.
    """

    def __init__(self, config: ExhaustiveConfig, variant: Variant, sizes: SpanSizes) -> None:
        super().__init__()
        own = config.architecture
        characters = CharacterBiLSTM(sizes.vocabulary.character_count, own.character_embedding, own.character_hidden)
        self.tokens = token_layer(config.words, sizes, characters, tuned=own.tune_vectors)
        self.dropout = nn.Dropout(own.dropout)
        self.encoder = BiLSTM(self.tokens.width, own.word_hidden)
        self.spans = SpanLayer(
            self.encoder.width,
            own.span_hidden,
            sizes.longest,
            boundary=variant.boundary,
            inside=variant.inside,
            context=variant.context == "context",
        )
        self.classes = nn.Linear(own.span_hidden, sizes.classes)
        with torch.no_grad():
            self.classes.bias[NO_ENTITY] = own.prior

    def outputs(self, inputs: Mapping[str, Tensor]) -> dict[str, Tensor]:
        """`spans` (B, T, S, K): the scores of every class for every span."""
        return {SPANS: self.classes(self._regions(inputs).relu())}

    def some(self, inputs: Mapping[str, Tensor], cells: Tensor) -> Tensor:
        """The scores (N, K) of some spans only; cells (N,) are indices into the flattened grid (B, T, S).

        All spans of a sequence have the same dropout mask: on a CPU, drawing a mask for each span takes as long as the
        span layer itself.
        """
        regions = self._regions(inputs)  # (B, T, S, H)
        rows, tokens, sizes, hidden = regions.shape
        kept = self.dropout(regions.new_ones(rows, hidden)).index_select(0, cells // (tokens * sizes))  # (N, H)
        some = regions.flatten(0, 2).index_select(0, cells)
        scores: Tensor = self.classes(some.relu() * kept)
        return scores

    def _regions(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """(B, T, S, H): the hidden layer before its nonlinearity."""
        states = self.encoder(self.dropout(self.tokens(inputs)), inputs["lengths"])  # (B, T, 2H), zero on padding
        regions: Tensor = self.spans(self.dropout(states))
        return regions


class _GraphWithoutTable(Graph):
    """A graph without its large table: the vectors of a batch's forms are an input."""

    def table(self, values: npt.NDArray[np.floating], rows: str) -> str:
        return self.input(VECTORS, ["forms", values.shape[1]], real=True)


def export(network: ExhaustiveNetwork, storage: Storage) -> bytes:
    """The ONNX file; the numbers of rows, tokens and forms are dynamic. Word vectors are an input unless tuned."""
    tuned = network.tokens.words.tuned
    graph = Graph(storage) if tuned else _GraphWithoutTable(storage)
    states = bilstm(graph, network.encoder, token_representation(graph, network.tokens))
    regions = _spans(graph, network.spans, states)
    scores = linear(graph, network.classes, graph.node("Relu", [regions]))
    graph.output(scores, SPANS, ["rows", "tokens", network.spans.sizes, network.classes.out_features])
    return graph.to_bytes("exhaustive")


def _spans(graph: Graph, layer: SpanLayer, states: str) -> str:
    """`SpanLayer.forward` as graph operations: (B, T, W) → (B, T, S, H)."""
    blocks = layer.projection.weight.chunk(len(layer.parts), dim=0)
    of = {
        part: graph.node("MatMul", [states, graph.weight(array_of(block.T))])
        for part, block in zip(layer.parts, blocks, strict=True)
    }
    starts, ends = _boundary(graph, layer, of)
    starts = graph.node("Add", [starts, graph.constant(array_of(layer.bias))])
    means = _running_means(graph, _ahead(graph, of["inside"], layer.sizes), _token_weights(graph, layer, states))
    grid = []
    for reached, mean in zip(_ahead(graph, ends, layer.sizes), means, strict=True):
        cell = graph.node("Add", [graph.node("Add", [starts, reached]), mean])
        grid.append(graph.node("Unsqueeze", [cell, graph.integers(2)]))
    return graph.node("Concat", grid, axis=2)


def _boundary(graph: Graph, layer: SpanLayer, of: dict[str, str]) -> tuple[str, str]:
    """Equation 1 or 7, and the context of section 3.4, split into the terms of a span's first and last token."""
    left, right = of["left"], of["right"]
    starts, ends = left, right
    if layer.boundary == "minus":
        starts = graph.node("Sub", [right, _previous(graph, left)])
        ends = graph.node("Sub", [left, _following(graph, right)])
    if layer.context:
        around = graph.node("Add", [_previous(graph, of["before"]), of["first"]])
        starts = graph.node("Add", [starts, around])
        ends = graph.node("Add", [ends, _following(graph, of["after"])])
    return starts, ends


def _token_weights(graph: Graph, layer: SpanLayer, states: str) -> list[str]:
    """Equation 3 and the exponentials of equation 4: one (B, T, 1) for each size; none without attention."""
    if layer.attention is None:
        return []
    hidden = graph.node("Relu", [linear(graph, layer.attention.hidden, states)])
    scores = graph.node("MatMul", [hidden, graph.weight(array_of(layer.attention.score.weight.T))])
    ahead = _ahead(graph, scores, layer.sizes)
    highest = graph.node("Max", ahead)
    lowest = graph.constant(np.array(LOWEST, dtype=np.float32))
    relative = (graph.node("Sub", [one, highest]) for one in ahead)
    return [graph.node("Exp", [graph.node("Max", [one, lowest])]) for one in relative]


def _running_means(graph: Graph, values: list[str], weights: list[str]) -> list[str]:
    """Equation 5, or equation 2 without weights: the mean of the first one, two, ... values."""
    if weights:
        values = [graph.node("Mul", [value, weight]) for value, weight in zip(values, weights, strict=True)]
    masses = _running_sums(graph, weights) or [
        graph.constant(np.array(s + 1, dtype=np.float32)) for s in range(len(values))
    ]
    totals = _running_sums(graph, values)
    return [graph.node("Div", [total, mass]) for total, mass in zip(totals, masses, strict=True)]


def _running_sums(graph: Graph, values: list[str]) -> list[str]:
    sums = values[:1]
    for value in values[1:]:
        sums.append(graph.node("Add", [sums[-1], value]))
    return sums


def _ahead(graph: Graph, value: str, sizes: int) -> list[str]:
    """The values shifted by 0, 1, ... sizes - 1 tokens, zero past the end."""
    padded = _padded(graph, value, 0, sizes - 1)
    ends = [s - sizes + 1 or _TO_THE_END for s in range(sizes)]
    return [_slice(graph, padded, s, end) for s, end in enumerate(ends)]


def _previous(graph: Graph, value: str) -> str:
    return _slice(graph, _padded(graph, value, 1, 0), 0, -1)


def _following(graph: Graph, value: str) -> str:
    return _slice(graph, _padded(graph, value, 0, 1), 1, _TO_THE_END)


def _padded(graph: Graph, value: str, before: int, after: int) -> str:
    """Zeros before and after the tokens of (B, T, ...)."""
    return graph.node("Pad", [value, graph.integers(0, before, 0, 0, after, 0)])


def _slice(graph: Graph, value: str, begin: int, end: int) -> str:
    return graph.node("Slice", [value, graph.integers(begin), graph.integers(end), graph.integers(1)])
