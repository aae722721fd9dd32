"""The context network as an ONNX file, which reads one text at a time."""

from __future__ import annotations

import numpy as np
from torch import nn

from nadie.detectors.convnet.network import LOWEST, ContextNetwork, DenseBlock, SeparableBlock
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import array_of, linear

_OPSET = 18  # the first in which ScatterElements takes a maximum


def to_onnx(context: ContextNetwork, width: int) -> bytes:
    """Inputs `vectors` (U, width), `kinds`, `spacing`, `groups` (T,); output `probabilities` (T, K)."""
    graph = Graph("float32", _OPSET)
    vectors = graph.input("vectors", ["forms", width], real=True)
    kinds, spacing, groups = (graph.input(name, ["tokens"]) for name in ("kinds", "spacing", "groups"))
    own = graph.node("Gather", [linear(graph, context.entry, vectors), kinds])
    gaps = graph.node("Gather", [graph.weight(array_of(context.spacing.weight)), spacing])
    value = _as_image(graph, graph.node("Add", [own, gaps]))
    for number, block in enumerate(context.blocks):
        if number == context.memory_at and context.memory_at:
            value = graph.node("Add", [value, _remembered(graph, context, value, vectors, groups)])
        value = _separable(graph, block, value) if isinstance(block, SeparableBlock) else _dense(graph, block, value)
    normal = _normalised(graph, context.norm, _as_rows(graph, value))
    scores = linear(graph, context.exit, normal)
    graph.output(graph.node("Softmax", [scores], axis=-1), "probabilities", ["tokens", context.exit.out_features])
    return graph.to_bytes("ConvNet")


def _as_image(graph: Graph, rows: str) -> str:
    """(T, W) → (1, W, 1, T), the layout of convolutions."""
    return graph.node("Unsqueeze", [graph.node("Transpose", [rows], perm=[1, 0]), graph.integers(0, 2)])


def _as_rows(graph: Graph, image: str) -> str:
    return graph.node("Transpose", [graph.node("Squeeze", [image, graph.integers(0, 2)])], perm=[1, 0])


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
    inner = _convolution(graph, block.expand, _convolution(graph, block.depthwise, value))
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


def _normalised(graph: Graph, layer: nn.LayerNorm, rows: str) -> str:
    inputs = [rows, graph.weight(array_of(layer.weight)), graph.weight(array_of(layer.bias))]
    return graph.node("LayerNormalization", inputs, axis=-1, epsilon=layer.eps)


def _remembered(graph: Graph, context: ContextNetwork, image: str, vectors: str, groups: str) -> str:
    """What the other places of a word say; a text has at most as many groups as forms, and one for no word."""
    rows, width = _as_rows(graph, image), context.entry.out_features
    forms = graph.node("Slice", [graph.node("Shape", [vectors]), graph.integers(0), graph.integers(1)])
    count = graph.node("Add", [forms, graph.integers(1)])
    shape = graph.node("Concat", [count, graph.integers(width)], axis=0)
    lowest = graph.node("Expand", [graph.constant(np.full((1, 1), LOWEST, dtype=np.float32)), shape])
    column = graph.node("Unsqueeze", [groups, graph.integers(1)])
    index = graph.node("Expand", [column, graph.integers(1, width)])
    largest = graph.node("ScatterElements", [lowest, index, rows], axis=0, reduction="max")
    gate = graph.node("Sigmoid", [linear(graph, context.memory_gate, largest)])
    told = graph.node("Gather", [graph.node("Mul", [linear(graph, context.memory, largest), gate]), groups])
    is_word = graph.as_float(graph.node("Greater", [column, graph.integers(0)]))
    return _as_image(graph, graph.node("Mul", [told, is_word]))
