"""The network of Porta-Zamorano (2019, figure 4), in torch and in ONNX."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor, nn

from nadie.nn.convolution import ConvolutionChannel
from nadie.papers.tccnn.config import TCCNNArchitecture
from nadie.papers.tccnn.encoding import CANDIDATE_CHARACTERS, CONTEXT_CHARACTERS
from nadie.training.onnx_graph import Graph
from nadie.training.onnx_layers import array_of, linear
from nadie.training.vectors import quantise

SIDES = ("left", "candidate", "right")


@dataclass(frozen=True)
class CandidateSizes:
    """The sizes of the network that depend on the data."""

    words: int
    tags: int
    characters: int
    labels: int
    vectors: Tensor | None = None  # (words, embedding)


class TCCNNNetwork(nn.Module):
    """Three channels of words and, with the options of the future work, three of tags and three of characters, then a
    dense layer and the output.

    By default the three channels share one embedding table, so that a word is learned from all positions and the model
    is a third of the size.
    """

    def __init__(self, own: TCCNNArchitecture, sizes: CandidateSizes) -> None:
        super().__init__()
        if own.shared_table:
            tables = {"words": _word_table(own, sizes)}
        else:
            tables = {f"{side}_words": _word_table(own, sizes) for side in SIDES}
        if own.tags:
            tables["tags"] = nn.Embedding(sizes.tags, own.tag_embedding, padding_idx=0)
        if own.characters:
            tables["characters"] = nn.Embedding(sizes.characters, own.character_embedding, padding_idx=0)
        widths = {name.split("_")[-1]: table.embedding_dim for name, table in tables.items()}
        channels = {
            f"{side}_{name}": _channel(side, name, width, own) for name, width in widths.items() for side in SIDES
        }
        self.tables = nn.ModuleDict(tables)
        self.channels = nn.ModuleDict(channels)
        self.dense = nn.Linear(sum(channel.size for channel in channels.values()), own.dense)
        self.output = nn.Linear(own.dense, sizes.labels)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """Ids (B, length) by channel → logits (B, labels)."""
        seen = [channel(self.tables[self.table_of(name)](inputs[name])) for name, channel in self.channels.items()]
        logits: Tensor = self.output(torch.relu(self.dense(torch.cat(seen, dim=1))))
        return logits

    def table_of(self, channel: str) -> str:
        """The name of the table of a channel: its own, or the one that it shares."""
        return channel if channel in self.tables else channel.split("_")[1]

    def penalty(self) -> Tensor:
        """The L2 norm of the dense layer's kernel, squared."""
        return self.dense.weight.square().sum()


def _word_table(own: TCCNNArchitecture, sizes: CandidateSizes) -> nn.Embedding:
    table = nn.Embedding(sizes.words, own.embedding, padding_idx=0)
    if sizes.vectors is not None:
        with torch.no_grad():
            table.weight.copy_(sizes.vectors)
        table.weight.requires_grad_(own.tune_vectors)
    return table


def _channel(side: str, name: str, width: int, own: TCCNNArchitecture) -> ConvolutionChannel:
    if name == "characters":
        return ConvolutionChannel(
            CANDIDATE_CHARACTERS if side == "candidate" else CONTEXT_CHARACTERS,
            width,
            own.character_filters,
            kernel=own.character_kernel,
            pool=own.character_pool,
            dropout=own.dropout,
        )
    return ConvolutionChannel(own.words, width, own.filters, kernel=own.kernel, pool=own.pool, dropout=own.dropout)


def export(network: TCCNNNetwork) -> bytes:
    """Ids by channel → `probabilities` (rows, labels); embeddings are stored in eight bits, once for all channels."""
    graph = Graph("float16")
    tables = {name: _table(graph, table) for name, table in network.tables.items()}
    seen = []
    for name, channel in network.channels.items():
        ids = graph.input(name, ["rows", f"{name}_length"])
        rows, scales = (graph.node("Gather", [part, ids]) for part in tables[network.table_of(name)])
        embedded = graph.node("Mul", [graph.as_float(rows), scales])  # (B, length, width)
        seen.append(_channel_graph(graph, channel, graph.node("Transpose", [embedded], perm=[0, 2, 1])))
    dense = graph.node("Relu", [linear(graph, network.dense, graph.node("Concat", seen, axis=1))])
    chosen = graph.node("Softmax", [linear(graph, network.output, dense)], axis=1)
    graph.output(chosen, "probabilities", ["rows", network.output.out_features])
    return graph.to_bytes("tccnn")


def _table(graph: Graph, table: Any) -> tuple[str, str]:
    rows, scales = quantise(array_of(table.weight))
    return graph.constant(rows), graph.constant(scales[:, None])


def _channel_graph(graph: Graph, channel: nn.Module, value: str) -> str:
    assert isinstance(channel, ConvolutionChannel)  # noqa: S101
    assert channel.convolution.bias is not None  # noqa: S101
    kernel, bias = graph.weight(array_of(channel.convolution.weight)), graph.weight(array_of(channel.convolution.bias))
    active = graph.node("Relu", [graph.node("Conv", [value, kernel, bias])])
    pool = [channel.pooled]
    pooled = graph.node("MaxPool", [active], kernel_shape=pool, strides=pool)
    return graph.node("Flatten", [pooled], axis=1)
