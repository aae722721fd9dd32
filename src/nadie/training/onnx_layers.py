"""Export of the layers of `nn/` to an ONNX graph."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from nadie.nn.convolution import ContextConvolution
from nadie.nn.recurrent import BiLSTM, BiLSTMLayer
from nadie.nn.words import CharacterBiLSTM, CharacterCNN, TokenRepresentation
from nadie.training.onnx_graph import Graph

Array = npt.NDArray[Any]
_WIDE = 64  # LSTMs with fewer hidden units gain nothing from eight-bit products


def token_representation(graph: Graph, layer: TokenRepresentation) -> str:
    """Declare the inputs of a tagger and return the representation of its tokens (B, T, width)."""
    words = graph.input("words", ["forms"])
    characters = graph.input("characters", ["forms", "letters"])
    lengths = graph.as_int32(graph.input("character_lengths", ["forms"]))
    known = [graph.table(array_of(layer.words.weight()), words)]
    if isinstance(layer.characters, CharacterBiLSTM):
        known.append(_character_bilstm(graph, layer.characters, characters, lengths))
    else:
        known.append(_character_cnn(graph, layer.characters, characters, lengths))
    if layer.clusters is not None:
        known.append(graph.input("lists", ["forms", layer.lists], real=True))
        clusters = _embedding(graph, layer.clusters, graph.input("clusters", ["forms", 2]))
        known.append(graph.node("Flatten", [clusters], axis=1))
    forms = graph.node("Concat", known, axis=1)
    tokens = graph.node("Gather", [forms, graph.input("kinds", ["rows", "tokens"])])
    if layer.spacing is None:
        return tokens
    spacing = _embedding(graph, layer.spacing, graph.input("spacing", ["rows", "tokens"]))
    return graph.node("Concat", [tokens, spacing], axis=2)


def bilstm(graph: Graph, layer: BiLSTM, value: str) -> str:
    """(B, T, width) → (B, T, 2H); declares the input `lengths`."""
    lengths = graph.as_int32(graph.input("lengths", ["rows"]))
    value = graph.node("Transpose", [value], perm=[1, 0, 2])
    for one in layer.layers:
        assert isinstance(one, BiLSTMLayer)  # noqa: S101
        weights = (_gates(one.input_weight), _gates(one.recurrent_weight), _gates(one.bias))
        outputs = lstm(graph, value, weights, lengths, outputs=1)  # (T, 2, B, H)
        turned = graph.node("Transpose", [outputs], perm=[0, 2, 1, 3])
        value = graph.node("Reshape", [turned, graph.integers(0, 0, 2 * one.hidden)])
    return graph.node("Transpose", [value], perm=[1, 0, 2])


def linear(graph: Graph, layer: nn.Linear, value: str, name: str = "") -> str:
    """With a `name`, the weights are stored as `name.weight` (transposed) and `name.bias`."""
    weight, bias = (f"{name}.weight", f"{name}.bias") if name else ("", "")
    product = graph.node("MatMul", [value, graph.weight(array_of(layer.weight.T), weight)])
    return graph.node("Add", [product, graph.weight(array_of(layer.bias), bias)])


def context_convolution(graph: Graph, layer: ContextConvolution, value: str) -> str:
    turned = graph.node("Transpose", [value], perm=[0, 2, 1])
    seen = graph.node("Tanh", [_convolution(graph, layer.convolution, turned)])
    return graph.node("Transpose", [seen], perm=[0, 2, 1])


def _character_bilstm(graph: Graph, layer: CharacterBiLSTM, characters: str, lengths: str) -> str:
    embedded = graph.node("Transpose", [_embedding(graph, layer.embedding, characters)], perm=[1, 0, 2])
    last = lstm(graph, embedded, lstm_weights(layer.lstm), lengths, outputs=2)  # (2, U, H)
    return graph.node("Flatten", [graph.node("Transpose", [last], perm=[1, 0, 2])], axis=1)


def _character_cnn(graph: Graph, layer: CharacterCNN, characters: str, lengths: str) -> str:
    embedded = graph.node("Transpose", [_embedding(graph, layer.embedding, characters)], perm=[0, 2, 1])
    pads = None
    if layer.narrow:
        pads = (0, layer.kernel - 1)
        last = graph.node("Sub", [lengths, graph.constant(np.array(layer.kernel - 1, dtype=np.int32))])
        lengths = graph.node("Max", [last, graph.constant(np.array(1, dtype=np.int32))])
    seen = graph.node("Tanh", [_convolution(graph, layer.convolution, embedded, pads)])  # (U, filters, L)
    size = graph.node("Gather", [graph.node("Shape", [characters]), graph.constant(np.array(1, dtype=np.int64))])
    zero, one = (graph.constant(np.array(n, dtype=np.int64)) for n in (0, 1))
    places = graph.as_int32(graph.node("Range", [zero, size, one]))  # (L,)
    inside = graph.node("Less", [places, graph.node("Unsqueeze", [lengths, graph.integers(1)])])  # (U, L)
    inside = graph.node("Unsqueeze", [inside, graph.integers(1)])
    seen = graph.node("Where", [inside, seen, graph.constant(np.array(-1.0, dtype=np.float32))])
    return graph.node("ReduceMax", [seen], axes=[2], keepdims=0)


def lstm_weights(layer: nn.LSTM) -> tuple[Array, Array, Array]:
    """Input weights, recurrent weights and bias of a bidirectional layer, as `lstm` takes them."""
    inputs, recurrent, bias = (_gates(_both(layer, name)) for name in ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0"))
    return inputs, recurrent, bias + _gates(_both(layer, "bias_hh_l0"))


def lstm(
    graph: Graph,
    value: str,
    weights: tuple[Array, Array, Array],
    lengths: str,
    outputs: int,
    names: tuple[str, str, str] = ("", "", ""),
) -> str:
    """`outputs` 1: the states of every step (T, 2, B, H); 2: the last states (2, B, H). `lengths` may be empty."""
    inputs, recurrent, bias = weights
    both = graph.weight(np.concatenate([bias, np.zeros_like(bias)], axis=1), names[2])
    hidden = recurrent.shape[2]
    if graph.storage == "int8" and hidden >= _WIDE:
        w, w_scale, w_zero = graph.by_column(inputs)
        r, r_scale, r_zero = graph.by_column(recurrent)
        given = [value, w, r, both, lengths, "", "", "", w_scale, w_zero, r_scale, r_zero]
        return graph.node(
            "DynamicQuantizeLSTM",
            given,
            outputs=outputs,
            domain="com.microsoft",
            hidden_size=hidden,
            direction="bidirectional",
        )
    given = [value, graph.weight(inputs, names[0]), graph.weight(recurrent, names[1]), both, lengths]
    return graph.node("LSTM", given, outputs=outputs, hidden_size=hidden, direction="bidirectional")


def _convolution(graph: Graph, layer: nn.Conv1d, value: str, pads: tuple[int, int] | None = None) -> str:
    assert layer.bias is not None  # noqa: S101
    weight = array_of(layer.weight)
    half = layer.kernel_size[0] // 2
    flat = graph.weight(weight.reshape(len(weight), -1))
    shaped = graph.node("Reshape", [flat, graph.integers(*weight.shape)])
    return graph.node("Conv", [value, shaped, graph.weight(array_of(layer.bias))], pads=list(pads or (half, half)))


def _embedding(graph: Graph, layer: nn.Embedding, ids: str) -> str:
    return graph.node("Gather", [graph.weight(array_of(layer.weight)), ids])


def _both(lstm: nn.LSTM, name: str) -> Array:
    """A parameter of both directions, stacked: (2, ...)."""
    return np.stack([array_of(getattr(lstm, name + suffix)) for suffix in ("", "_reverse")])


def _gates(stacked: Tensor | Array) -> Array:
    """Gates in torch's order (input, forget, cell, output) → ONNX's order (input, output, forget, cell)."""
    values = stacked if isinstance(stacked, np.ndarray) else array_of(stacked)
    i, f, c, o = np.split(values, 4, axis=1)
    return np.concatenate([i, o, f, c], axis=1)


def array_of(tensor: Tensor) -> Array:
    values: Array = tensor.detach().float().numpy()
    return values
