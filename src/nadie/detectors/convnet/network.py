"""The network, in torch: rows of tables for each written form, then convolutions over the tokens."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from nadie.detectors.convnet.forms import NGRAMS, SHAPES, FormNumbers, FormTables
from nadie.detectors.convnet.model import ConvArchitecture
from nadie.detectors.convnet.reading import NO_GROUP, SPACINGS

LOWEST = -20.0
"""What the memory of a word says of a channel at least."""


@dataclass(frozen=True)
class FormBatch:
    """The numbers of U forms as tensors; a form's n-grams and lists begin at its offset."""

    words: Tensor
    shapes: Tensor
    ngrams: Tensor
    ngram_offsets: Tensor
    lists: Tensor
    list_offsets: Tensor

    @classmethod
    def of(cls, numbers: FormNumbers) -> FormBatch:
        def offsets(counts: np.ndarray) -> Tensor:
            return torch.from_numpy(np.cumsum(counts) - counts)

        return cls(
            torch.from_numpy(numbers.words),
            torch.from_numpy(numbers.shapes),
            torch.from_numpy(numbers.ngrams),
            offsets(numbers.ngram_counts),
            torch.from_numpy(numbers.lists),
            offsets(numbers.list_counts),
        )


class FormEmbedding(nn.Module):
    """(U,) numbers → (U, width): `[word | mean of n-grams | shape + lists]`."""

    def __init__(self, own: ConvArchitecture, vectors: Tensor, lists: int) -> None:
        super().__init__()
        self.words = nn.Embedding(*vectors.shape)
        self.words.weight = nn.Parameter(vectors, requires_grad=own.tune_vectors)
        self.ngrams = nn.EmbeddingBag(NGRAMS, own.ngram_embedding, mode="mean")
        self.shapes = nn.Embedding(SHAPES, own.shape_embedding)
        self.lists = nn.EmbeddingBag(max(1, lists), own.shape_embedding, mode="sum")
        nn.init.normal_(self.ngrams.weight, std=0.1)
        nn.init.normal_(self.shapes.weight, std=0.3)
        nn.init.normal_(self.lists.weight, std=0.1)
        self.width = vectors.shape[1] + own.ngram_embedding + own.shape_embedding

    def forward(self, forms: FormBatch) -> Tensor:
        shapes = self.shapes(forms.shapes) + self.lists(forms.lists, forms.list_offsets)
        return torch.cat([self.words(forms.words), self.ngrams(forms.ngrams, forms.ngram_offsets), shapes], dim=1)

    def tables(self) -> FormTables:
        """The rows as they are stored."""
        words, word_scale = _eight_bits(self.words.weight)
        ngrams, ngram_scale = _eight_bits(self.ngrams.weight)
        return FormTables(
            words,
            ngrams,
            self.shapes.weight.detach().numpy().copy(),
            self.lists.weight.detach().numpy().copy(),
            word_scale,
            ngram_scale,
        )


def _eight_bits(weight: Tensor) -> tuple[np.ndarray, float]:
    """Rows in eight bits with one scale for all; the few values beyond it are cut."""
    dense = weight.detach().numpy()
    scale = float(np.quantile(np.abs(dense), 0.9999)) / 127 or 1.0
    return np.clip(np.rint(dense / scale), -127, 127).astype(np.int8), scale


class SeparableBlock(nn.Module):
    """x + P(relu(E(D(x)))): a convolution of each channel by itself, then two products over channels."""

    def __init__(self, width: int, kernel: int, dilation: int, dropout: float) -> None:
        super().__init__()
        reach = dilation * (kernel // 2)
        self.depthwise = nn.Conv2d(width, width, (1, kernel), padding=(0, reach), dilation=(1, dilation), groups=width)
        self.expand = nn.Conv2d(width, width, 1)
        self.project = nn.Conv2d(width, width, 1)
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            self.depthwise.weight[:, :, :, kernel // 2] += 1.0
            self.project.weight *= 0.3

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.project(torch.relu(self.expand(self.depthwise(x))))
        total: Tensor = x + self.dropout(y)
        return total


class DenseBlock(nn.Module):
    """x + u * sigmoid(g), with [u; g] a convolution of all channels of the normalised x."""

    def __init__(self, width: int, kernel: int, dilation: int, dropout: float) -> None:
        super().__init__()
        reach = dilation * (kernel // 2)
        self.norm = nn.LayerNorm(width)
        self.conv = nn.Conv2d(width, 2 * width, (1, kernel), padding=(0, reach), dilation=(1, dilation))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        u, gate = self.conv(self.norm(x.transpose(1, 3)).transpose(1, 3)).chunk(2, dim=1)
        total: Tensor = x + self.dropout(u * torch.sigmoid(gate))
        return total


class ContextNetwork(nn.Module):
    """Vectors of forms (U, width) and the tokens (B, T) that have them → scores of tags (B, T, K)."""

    def __init__(self, own: ConvArchitecture, width: int, tags: int) -> None:
        super().__init__()
        self.entry = nn.Linear(width, own.width)
        self.spacing = nn.Embedding(SPACINGS, own.width)
        nn.init.normal_(self.spacing.weight, std=0.1)
        block = SeparableBlock if own.separable else DenseBlock
        self.blocks = nn.ModuleList(block(own.width, own.kernel, step, own.dropout / 2) for step in own.steps)
        self.memory_at = own.memory_after
        self.memory = nn.Linear(own.width, own.width)
        self.memory_gate = nn.Linear(own.width, own.width)
        self.dropout = nn.Dropout(own.dropout)
        self.norm = nn.LayerNorm(own.width)
        self.exit = nn.Linear(own.width, tags)

    def forward(
        self, vectors: Tensor, kinds: Tensor, spacing: Tensor, groups: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """`groups` (B, T) number the words of all rows together; `mask` (B, T) is 0 where a row has ended."""
        x = self.entry(self.dropout(vectors))[kinds] + self.spacing(spacing)
        x = x.transpose(1, 2).unsqueeze(2)  # (B, W, 1, T)
        there = None if mask is None else mask[:, None, None, :]
        for i, block in enumerate(self.blocks):
            if i == self.memory_at and self.memory_at:
                x = x + self._remembered(x, groups, vectors.shape[0] + 1 if mask is None else int(groups.max()) + 1)
            x = block(x if there is None else x * there)
        x = self.norm(x.flatten(2).transpose(1, 2))
        scores: Tensor = self.exit(self.dropout(x))
        return scores

    def _remembered(self, x: Tensor, groups: Tensor, count: int) -> Tensor:
        """What the other places of a word say: the largest of each channel over them."""
        rows, width, _, tokens = x.shape
        seen = x.flatten(2).transpose(1, 2).reshape(rows * tokens, width)
        index = groups.reshape(-1, 1).expand(-1, width)
        lowest = torch.full((count, width), LOWEST)
        largest = lowest.scatter_reduce(0, index, seen, "amax", include_self=True)
        told = self.memory(largest) * torch.sigmoid(self.memory_gate(largest))
        own: Tensor = told[groups] * (groups != NO_GROUP).unsqueeze(-1)
        return own.transpose(1, 2).unsqueeze(2)


class ConvNetwork(nn.Module):
    """Forms and context together, as they are trained."""

    def __init__(self, own: ConvArchitecture, vectors: Tensor, lists: int, tags: int) -> None:
        super().__init__()
        self.forms = FormEmbedding(own, vectors, lists)
        self.context = ContextNetwork(own, self.forms.width, tags)

    def forward(
        self, forms: FormBatch, kinds: Tensor, spacing: Tensor, groups: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        scores: Tensor = self.context(self.forms(forms), kinds, spacing, groups, mask)
        return scores
