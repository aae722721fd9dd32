"""The network of one variant as an ONNX file that takes its word vectors from outside."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from torch import Tensor

from nadie.detectors.exhaustive.network import ExhaustiveNetwork
from nadie.detectors.exhaustive.reading import SPANS
from nadie.detectors.exhaustive.vectors import VECTORS
from nadie.nn.spans import LOWEST, SpanLayer
from nadie.training.onnx_graph import Graph, Storage
from nadie.training.onnx_layers import bilstm, linear, token_representation

_TO_THE_END = np.iinfo(np.int64).max


class _GraphWithoutTable(Graph):
    """A graph whose big table stays outside: the vectors of a batch's forms are an input."""

    def table(self, values: npt.NDArray[np.floating], rows: str) -> str:
        return self.input(VECTORS, ["forms", values.shape[1]], real=True)


def export(network: ExhaustiveNetwork, storage: Storage) -> bytes:
    """The ONNX file; rows, tokens and forms may be any number."""
    graph = _GraphWithoutTable(storage)
    states = bilstm(graph, network.encoder, token_representation(graph, network.tokens))
    regions = _spans(graph, network.spans, states)
    scores = linear(graph, network.classes, graph.node("Relu", [regions]))
    graph.output(scores, SPANS, ["rows", "tokens", network.spans.sizes, network.classes.out_features])
    return graph.to_bytes("exhaustive")


def _spans(graph: Graph, layer: SpanLayer, states: str) -> str:
    """`SpanLayer.forward`, operation by operation: (B, T, W) → (B, T, S, H)."""
    blocks = layer.projection.weight.chunk(len(layer.parts), dim=0)
    of = {
        part: graph.node("MatMul", [states, graph.weight(_array(block.T))])
        for part, block in zip(layer.parts, blocks, strict=True)
    }
    starts, ends = _boundary(graph, layer, of)
    starts = graph.node("Add", [starts, graph.constant(_array(layer.bias))])
    means = _running_means(graph, _ahead(graph, of["inside"], layer.sizes), _token_weights(graph, layer, states))
    grid = []
    for reached, mean in zip(_ahead(graph, ends, layer.sizes), means, strict=True):
        cell = graph.node("Add", [graph.node("Add", [starts, reached]), mean])
        grid.append(graph.node("Unsqueeze", [cell, graph.integers(2)]))
    return graph.node("Concat", grid, axis=2)


def _boundary(graph: Graph, layer: SpanLayer, of: dict[str, str]) -> tuple[str, str]:
    """Equation 1 or 7, and the context of section 3.4, gathered at a span's first and at its last token."""
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
    """Equation 3 and the exponentials of equation 4: as many (B, T, 1) as there are sizes; none without attention."""
    if layer.attention is None:
        return []
    hidden = graph.node("Relu", [linear(graph, layer.attention.hidden, states)])
    scores = graph.node("MatMul", [hidden, graph.weight(_array(layer.attention.score.weight.T))])
    ahead = _ahead(graph, scores, layer.sizes)
    highest = graph.node("Max", ahead)
    lowest = graph.constant(np.array(LOWEST, dtype=np.float32))
    relative = (graph.node("Sub", [one, highest]) for one in ahead)
    return [graph.node("Exp", [graph.node("Max", [one, lowest])]) for one in relative]


def _running_means(graph: Graph, values: list[str], weights: list[str]) -> list[str]:
    """Equation 5, or equation 2 without weights: the mean of the first one, two, ... of the values."""
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
    """The values 0, 1, ... sizes - 1 tokens further on, zero past the end."""
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


def _array(tensor: Tensor) -> npt.NDArray[np.float32]:
    values: npt.NDArray[np.float32] = tensor.detach().float().numpy()
    return values
