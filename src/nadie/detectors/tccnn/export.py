"""The network of TCCNN as an ONNX file."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from torch import Tensor, nn

from nadie.detectors.tccnn.network import TCCNNNetwork
from nadie.nn.channel import ConvolutionChannel
from nadie.training.onnx_graph import Graph, Storage
from nadie.training.vectors import quantise


def export(network: TCCNNNetwork, storage: Storage = "float16") -> bytes:
    """Ids by channel → `probabilities` (rows, labels); embeddings are kept in eight bits, once for all channels."""
    graph = Graph(storage)
    tables = {name: _table(graph, table) for name, table in network.tables.items()}
    seen = []
    for name, channel in network.channels.items():
        ids = graph.input(name, ["rows", f"{name}_length"])
        rows, scales = (graph.node("Gather", [part, ids]) for part in tables[name.split("_")[1]])
        embedded = graph.node("Mul", [graph.as_float(rows), scales])  # (B, length, width)
        seen.append(_channel(graph, channel, graph.node("Transpose", [embedded], perm=[0, 2, 1])))
    dense = graph.node("Relu", [_linear(graph, network.dense, graph.node("Concat", seen, axis=1))])
    chosen = graph.node("Softmax", [_linear(graph, network.output, dense)], axis=1)
    graph.output(chosen, "probabilities", ["rows", network.output.out_features])
    return graph.to_bytes("tccnn")


def _table(graph: Graph, table: nn.Module) -> tuple[str, str]:
    rows, scales = quantise(_array(table.weight))
    return graph.constant(rows), graph.constant(scales[:, None])


def _channel(graph: Graph, channel: nn.Module, value: str) -> str:
    assert isinstance(channel, ConvolutionChannel)  # noqa: S101
    assert channel.convolution.bias is not None  # noqa: S101
    kernel, bias = graph.weight(_array(channel.convolution.weight)), graph.weight(_array(channel.convolution.bias))
    active = graph.node("Relu", [graph.node("Conv", [value, kernel, bias])])
    pool = [channel.pooled]
    pooled = graph.node("MaxPool", [active], kernel_shape=pool, strides=pool)
    return graph.node("Flatten", [pooled], axis=1)


def _linear(graph: Graph, layer: nn.Linear, value: str) -> str:
    product = graph.node("MatMul", [value, graph.weight(_array(layer.weight.T))])
    return graph.node("Add", [product, graph.weight(_array(layer.bias))])


def _array(tensor: Tensor | Any) -> npt.NDArray[np.float32]:
    values: npt.NDArray[np.float32] = tensor.detach().float().numpy()
    return values
