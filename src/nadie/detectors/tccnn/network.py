"""The network of paper 000 (figure 4), in torch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from nadie.detectors.tccnn.config import TCCNNConfig
from nadie.detectors.tccnn.encoding import CANDIDATE_CHARACTERS, CONTEXT_CHARACTERS
from nadie.nn.channel import ConvolutionChannel

SIDES = ("left", "candidate", "right")


@dataclass(frozen=True)
class Sizes:
    """What the network must know of the data."""

    words: int
    tags: int
    characters: int
    labels: int
    vectors: Tensor | None = None  # (words, embedding)


class TCCNNNetwork(nn.Module):
    """Three channels of words, and with the future work's config three of tags and three of characters, then a dense
    layer and the output.

    Deviation: the three channels share one embedding table, so that a word is learned from wherever it stands and the
    model is a third of the size.
    """

    def __init__(self, config: TCCNNConfig, sizes: Sizes) -> None:
        super().__init__()
        words = nn.Embedding(sizes.words, config.embedding, padding_idx=0)
        if sizes.vectors is not None:
            with torch.no_grad():
                words.weight.copy_(sizes.vectors)
            words.weight.requires_grad_(config.tune_vectors)
        tables = {"words": words}
        if config.tags:
            tables["tags"] = nn.Embedding(sizes.tags, config.tag_embedding, padding_idx=0)
        if config.characters:
            tables["characters"] = nn.Embedding(sizes.characters, config.character_embedding, padding_idx=0)
        channels = {
            f"{side}_{name}": _channel(side, name, table.embedding_dim, config)
            for name, table in tables.items()
            for side in SIDES
        }
        self.tables = nn.ModuleDict(tables)
        self.channels = nn.ModuleDict(channels)
        self.dense = nn.Linear(sum(channel.size for channel in channels.values()), config.dense)
        self.output = nn.Linear(config.dense, sizes.labels)

    def forward(self, inputs: Mapping[str, Tensor]) -> Tensor:
        """Ids (B, length) by channel → logits (B, labels)."""
        seen = [channel(self.tables[name.split("_")[1]](inputs[name])) for name, channel in self.channels.items()]
        logits: Tensor = self.output(torch.relu(self.dense(torch.cat(seen, dim=1))))
        return logits

    def penalty(self) -> Tensor:
        """The L2 norm of the dense layer's kernel, squared."""
        return self.dense.weight.square().sum()


def _channel(side: str, name: str, width: int, config: TCCNNConfig) -> ConvolutionChannel:
    if name == "characters":
        return ConvolutionChannel(
            CANDIDATE_CHARACTERS if side == "candidate" else CONTEXT_CHARACTERS,
            width,
            config.character_filters,
            kernel=config.character_kernel,
            pool=config.character_pool,
            dropout=config.dropout,
        )
    return ConvolutionChannel(
        config.words, width, config.filters, kernel=config.kernel, pool=config.pool, dropout=config.dropout
    )
