"""Export of the context network, without its first layer, to an ONNX file, which takes one text at a time."""

from __future__ import annotations

import numpy as np
from torch import nn

from nadie.detectors.convnet.network import ContextNetwork, DenseBlock, SeparableBlock
from nadie.detectors.convnet.words import PLACES
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import array_of, linear, lstm, lstm_weights

_OPSET = 18


def to_onnx(context: ContextNetwork) -> bytes:
    """Inputs `vectors` (T, width), `spacing`, `groups` (T,), `places` (G, P), `bias` (K,); output probabilities (T, K).

    The vectors are outputs of the first layer (`tables.py`). `groups` are 0 for tokens that are not words; the others
    are counted from 1.
    """
    graph = Graph("float32", _OPSET)
    vectors = graph.input("vectors", ["tokens", context.entry.out_features], real=True)
    spacing, groups = (graph.input(name, ["tokens"]) for name in ("spacing", "groups"))
    places = graph.input("places", ["words", PLACES])
    gaps = graph.node("Gather", [graph.weight(array_of(context.spacing.weight)), spacing])
    value = _in_blocks(graph, _as_image(graph, graph.node("Add", [vectors, gaps])), context)
    for number, block in enumerate(context.blocks):
        if number == context.memory_at and context.memory_at:
            value = _in_blocks(graph, _as_image(graph, _with_memory(graph, context, value, groups, places)), context)
        value = _separable(graph, block, value) if isinstance(block, SeparableBlock) else _dense(graph, block, value)
    rows = _as_rows(graph, value)
    if context.recurrent is not None:
        rows = _recurrent(graph, context.recurrent, rows)
    normal = _normalised(graph, context.norm, rows)
    tags = context.exit.out_features
    product = graph.node("MatMul", [normal, graph.weight(array_of(context.exit.weight.T))])
    own = graph.node("Add", [graph.weight(array_of(context.exit.bias)), graph.input("bias", [tags], real=True)])
    scores = graph.node("Add", [product, own])
    graph.output(graph.node("Softmax", [scores], axis=-1), "probabilities", ["tokens", tags])
    return graph.to_bytes("ConvNet")


def _as_image(graph: Graph, rows: str) -> str:
    """(T, W) → (1, W, 1, T), the layout of convolutions.

    onnxruntime joins a transposition of four dimensions with the change to its own layout.
    """
    return graph.node("Transpose", [graph.node("Unsqueeze", [rows, graph.integers(0, 1)])], perm=[0, 3, 1, 2])


def _in_blocks(graph: Graph, image: str, context: ContextNetwork) -> str:
    """The same values as the output of a convolution: a product of each channel with 1.

    onnxruntime stores outputs of convolutions in blocks of channels. The sum of two such outputs needs no change of
    layout, which would otherwise take a seventh of the running time of the network.
    """
    width = context.entry.out_features
    ones, zeros = np.ones((width, 1, 1, 1), dtype=np.float32), np.zeros(width, dtype=np.float32)
    return graph.node("Conv", [image, graph.weight(ones), graph.weight(zeros)], group=width, kernel_shape=[1, 1])


def _as_rows(graph: Graph, image: str) -> str:
    """(1, W, 1, T) → (T, W)."""
    return graph.node("Squeeze", [graph.node("Transpose", [image], perm=[0, 2, 3, 1]), graph.integers(0, 1)])


def _convolution(graph: Graph, layer: nn.Conv2d, value: str) -> str:
    reach = layer.dilation[1] * (layer.kernel_size[1] // 2)
    return graph.node(
        "Conv",
        [value, graph.weight(array_of(layer.weight)), graph.weight(array_of(layer.bias))],  # type: ignore[arg-type]
        group=layer.groups,
        kernel_shape=list(layer.kernel_size),
        dilations=list(layer.dilation),
        pads=[0, reach, 0, reach],
    )


def _separable(graph: Graph, block: SeparableBlock, value: str) -> str:
    inner = _convolution(graph, block.depthwise, value)
    if isinstance(block.expand, nn.Conv2d):
        inner = _convolution(graph, block.expand, inner)
    return graph.node("Add", [value, _convolution(graph, block.project, graph.node("Relu", [inner]))])


def _dense(graph: Graph, block: nn.Module, value: str) -> str:
    assert isinstance(block, DenseBlock)  # noqa: S101
    normal = _as_image(graph, _normalised(graph, block.norm, _as_rows(graph, value)))
    both = _convolution(graph, block.conv, normal)
    half = block.conv.out_channels // 2
    part, gate = (
        graph.node("Slice", [both, graph.integers(first), graph.integers(first + half), graph.integers(1)])
        for first in (0, half)
    )
    return graph.node("Add", [value, graph.node("Mul", [part, graph.node("Sigmoid", [gate])])])


def _recurrent(graph: Graph, layer: nn.LSTM, rows: str) -> str:
    """(T, W) → (T, 2H)."""
    value = graph.node("Unsqueeze", [rows, graph.integers(1)])
    states = lstm(graph, value, lstm_weights(layer), "", outputs=1)  # (T, 2, 1, H)
    return graph.node("Reshape", [states, graph.integers(0, 2 * layer.hidden_size)])


def _normalised(graph: Graph, layer: nn.LayerNorm, rows: str) -> str:
    inputs = [rows, graph.weight(array_of(layer.weight)), graph.weight(array_of(layer.bias))]
    return graph.node("LayerNormalization", inputs, axis=-1, epsilon=layer.eps)


def _with_memory(graph: Graph, context: ContextNetwork, image: str, groups: str, places: str) -> str:
    """(T, W): the tokens plus the maximum of each channel over the first occurrences of their word and the summary of
    the text, computed as in `ContextNetwork`.
    """
    rows = _as_rows(graph, image)
    seen = graph.node("Gather", [rows, places])  # (G, P, W)
    largest = graph.node("ReduceMax", [seen, graph.integers(1)], keepdims=0)
    gate = graph.node("Sigmoid", [linear(graph, context.memory_gate, largest)])
    gated = graph.node("Mul", [linear(graph, context.memory, largest), gate])
    nothing = graph.constant(np.zeros((1, context.entry.out_features), dtype=np.float32))
    found = graph.node("Gather", [graph.node("Concat", [nothing, gated], axis=0), groups])
    if context.summary is not None:
        mean = graph.node("ReduceMean", [rows, graph.integers(0)], keepdims=1)
        found = graph.node("Add", [found, graph.node("Relu", [linear(graph, context.summary, mean)])])
    return graph.node("Add", [rows, found])
