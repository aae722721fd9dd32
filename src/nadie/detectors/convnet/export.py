"""Export of the context network, without its first layer, to an ONNX file, which takes one text at a time; and reading
its weights from such a file.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn

from nadie.detectors.convnet.network import ContextNetwork, DenseBlock, SeparableBlock
from nadie.detectors.convnet.words import PLACES
from nadie.errors import ConfigError
from nadie.training.onnx_graph import Graph, stored_weights
from nadie.training.onnx_layers import array_of, linear, lstm, lstm_weights

_OPSET = 18
_Link = tuple[str, str, str]
"""Groups and places of tokens that belong together, and the name of the layers for what they have in common."""


def to_onnx(context: ContextNetwork) -> bytes:
    """Inputs `vectors` (T, width), `spacing`, `groups` (T,), `places` (G, P), `bias` (K,), with columns also
    `column_groups` and `column_places`; output probabilities (T, K).

    The vectors are outputs of the first layer (`tables.py`). `groups` are 0 for tokens that are not words; the others
    are counted from 1. Constants have the names of the weights in torch.
    """
    graph = Graph("float32", _OPSET)
    vectors = graph.input("vectors", ["tokens", context.entry.out_features], real=True)
    spacing, groups = (graph.input(name, ["tokens"]) for name in ("spacing", "groups"))
    places = graph.input("places", ["words", PLACES])
    links = [(groups, places, "memory")]
    if context.columns is not None:
        own = graph.input("column_groups", ["tokens"]), graph.input("column_places", ["columns", PLACES])
        links.append((*own, "columns"))
    gaps = graph.node("Gather", [graph.weight(array_of(context.spacing.weight), "spacing.weight"), spacing])
    value = _in_blocks(graph, _as_image(graph, graph.node("Add", [vectors, gaps])), context)
    for number, block in enumerate(context.blocks):
        if number == context.memory_at and context.memory_at:
            value = _in_blocks(graph, _as_image(graph, _with_memory(graph, context, value, links)), context)
        add = _separable if isinstance(block, SeparableBlock) else _dense
        value = add(graph, block, value, f"blocks.{number}")
    rows = _as_rows(graph, value)
    if context.recurrent is not None:
        rows = _recurrent(graph, context.recurrent, rows)
    normal = _normalised(graph, context.norm, rows, "norm")
    tags = context.exit.out_features
    product = graph.node("MatMul", [normal, graph.weight(array_of(context.exit.weight.T), "exit.weight")])
    bias = graph.weight(array_of(context.exit.bias), "exit.bias")
    scores = graph.node("Add", [product, graph.node("Add", [bias, graph.input("bias", [tags], real=True)])])
    graph.output(graph.node("Softmax", [scores], axis=-1), "probabilities", ["tokens", tags])
    return graph.to_bytes("ConvNet")


def weights_of(content: bytes, context: ContextNetwork, tags: int) -> dict[str, Tensor]:
    """The weights that `to_onnx` stored, by their names in a network of the same sizes, except for the first layer and
    the number of `tags`.

    The two biases of an LSTM are stored as their sum. Weights that the file does not have are left out.
    """
    stored = stored_weights(content)
    if "exit.weight" not in stored:
        raise ConfigError("the network has no named weights: it was exported by an earlier version")
    found = {}
    products = {f"{name}.weight" for name, layer in context.named_modules() if isinstance(layer, nn.Linear)}
    for name, parameter in context.state_dict().items():
        values = stored.get(name)
        if name.startswith("recurrent."):
            values = _gates_of(stored, name)
        if values is not None:
            shape = (tags, *parameter.shape[1:]) if name.startswith("exit.") else parameter.shape
            tensor = torch.from_numpy(values.copy())
            found[name] = (tensor.T if name in products else tensor).reshape(shape).contiguous()
    return found


def _gates_of(stored: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A parameter of the LSTM, from both directions with gates in ONNX's order (input, output, forget, cell)."""
    direction = int(name.endswith("_reverse"))
    if "bias" in name:
        values = stored["recurrent.bias"][direction, : stored["recurrent.bias"].shape[1] // 2]
        if "bias_hh" in name:
            return np.zeros_like(values)
    else:
        values = stored["recurrent.inputs" if "weight_ih" in name else "recurrent.states"][direction]
    i, o, f, c = np.split(values, 4)
    return np.concatenate([i, f, c, o])


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


def _convolution(graph: Graph, layer: nn.Conv2d, value: str, name: str) -> str:
    reach = layer.dilation[1] * (layer.kernel_size[1] // 2)
    assert layer.bias is not None  # noqa: S101
    weight = graph.weight(array_of(layer.weight), f"{name}.weight")
    return graph.node(
        "Conv",
        [value, weight, graph.weight(array_of(layer.bias), f"{name}.bias")],
        group=layer.groups,
        kernel_shape=list(layer.kernel_size),
        dilations=list(layer.dilation),
        pads=[0, reach, 0, reach],
    )


def _separable(graph: Graph, block: nn.Module, value: str, name: str) -> str:
    assert isinstance(block, SeparableBlock)  # noqa: S101
    inner = _convolution(graph, block.depthwise, value, f"{name}.depthwise")
    if isinstance(block.expand, nn.Conv2d):
        inner = _convolution(graph, block.expand, inner, f"{name}.expand")
    projected = _convolution(graph, block.project, graph.node("Relu", [inner]), f"{name}.project")
    return graph.node("Add", [value, projected])


def _dense(graph: Graph, block: nn.Module, value: str, name: str) -> str:
    assert isinstance(block, DenseBlock)  # noqa: S101
    normal = _as_image(graph, _normalised(graph, block.norm, _as_rows(graph, value), f"{name}.norm"))
    both = _convolution(graph, block.conv, normal, f"{name}.conv")
    half = block.conv.out_channels // 2
    part, gate = (
        graph.node("Slice", [both, graph.integers(first), graph.integers(first + half), graph.integers(1)])
        for first in (0, half)
    )
    return graph.node("Add", [value, graph.node("Mul", [part, graph.node("Sigmoid", [gate])])])


def _recurrent(graph: Graph, layer: nn.LSTM, rows: str) -> str:
    """(T, W) → (T, 2H)."""
    value = graph.node("Unsqueeze", [rows, graph.integers(1)])
    names = ("recurrent.inputs", "recurrent.states", "recurrent.bias")
    states = lstm(graph, value, lstm_weights(layer), "", outputs=1, names=names)  # (T, 2, 1, H)
    return graph.node("Reshape", [states, graph.integers(0, 2 * layer.hidden_size)])


def _normalised(graph: Graph, layer: nn.LayerNorm, rows: str, name: str) -> str:
    weight = graph.weight(array_of(layer.weight), f"{name}.weight")
    inputs = [rows, weight, graph.weight(array_of(layer.bias), f"{name}.bias")]
    return graph.node("LayerNormalization", inputs, axis=-1, epsilon=layer.eps)


def _with_memory(graph: Graph, context: ContextNetwork, image: str, links: Sequence[_Link]) -> str:
    """(T, W): the tokens plus the maximum of each channel over the places of their word and of their column, and the
    summary of the text, computed as in `ContextNetwork`.
    """
    rows = total = _as_rows(graph, image)
    nothing = graph.constant(np.zeros((1, context.entry.out_features), dtype=np.float32))
    for groups, places, name in links:
        largest = graph.node("ReduceMax", [graph.node("Gather", [rows, places]), graph.integers(1)], keepdims=0)
        layer, gate_layer = context.get_submodule(name), context.get_submodule(f"{name}_gate")
        assert isinstance(layer, nn.Linear)  # noqa: S101
        assert isinstance(gate_layer, nn.Linear)  # noqa: S101
        gate = graph.node("Sigmoid", [linear(graph, gate_layer, largest, f"{name}_gate")])
        gated = graph.node("Mul", [linear(graph, layer, largest, name), gate])
        found = graph.node("Gather", [graph.node("Concat", [nothing, gated], axis=0), groups])
        total = graph.node("Add", [total, found])
    if context.summary is not None:
        mean = graph.node("ReduceMean", [rows, graph.integers(0)], keepdims=1)
        total = graph.node("Add", [total, graph.node("Relu", [linear(graph, context.summary, mean, "summary")])])
    return total
