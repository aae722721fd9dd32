"""The network, in torch: rows of tables for each written form, then convolutions over the tokens."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from nadie.detectors.convnet.forms import NGRAMS, SHAPES, FormNumbers
from nadie.detectors.convnet.model import ConvArchitecture
from nadie.detectors.convnet.tables import FormTables
from nadie.detectors.convnet.words import NO_WORD
from nadie.tokens.arrays import SPACINGS


@dataclass(frozen=True)
class FormBatch:
    """The numbers of U forms as tensors; the n-grams and lists of a form begin at its offset."""

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


@dataclass(frozen=True)
class TokenBatch:
    """Tokens (B, T): the form of each, the white space before it, and the number of its word among the words of all
    rows; `places` (G, P) are the first positions of each word, counted over all rows; `column_groups` and
    `column_places` are the same for the columns of tables; `mask` is 0 after the end of a row.
    """

    kinds: Tensor
    spacing: Tensor
    groups: Tensor
    places: Tensor
    column_groups: Tensor
    column_places: Tensor
    mask: Tensor | None = None


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

    def tables(self, entry: nn.Linear) -> FormTables:
        """The tables and the layer after them in the form in which they are stored."""
        words, word_scale = _eight_bits(self.words.weight)
        ngrams, ngram_scale = _eight_bits(self.ngrams.weight)
        return FormTables(
            words,
            ngrams,
            self.shapes.weight.detach().numpy().copy(),
            self.lists.weight.detach().numpy().copy(),
            word_scale,
            ngram_scale,
            entry.weight.detach().numpy().T.copy(),
            entry.bias.detach().numpy().copy(),
        )


def _eight_bits(weight: Tensor) -> tuple[np.ndarray, float]:
    """Rows as eight-bit integers with one scale for all; the few values beyond it are clipped."""
    dense = weight.detach().numpy()
    scale = float(np.quantile(np.abs(dense), 0.9999)) / 127 or 1.0
    return np.clip(np.rint(dense / scale), -127, 127).astype(np.int8), scale


class SeparableBlock(nn.Module):
    """x + P(relu(E(D(x)))): a depthwise convolution, then products over channels; E may be omitted."""

    def __init__(self, width: int, kernel: int, dilation: int, dropout: float, *, expand: bool = True) -> None:
        super().__init__()
        reach = dilation * (kernel // 2)
        self.depthwise = nn.Conv2d(width, width, (1, kernel), padding=(0, reach), dilation=(1, dilation), groups=width)
        self.expand = nn.Conv2d(width, width, 1) if expand else nn.Identity()
        self.project = nn.Conv2d(width, width, 1)
        self.dropout = nn.Dropout(dropout)
        with torch.no_grad():
            self.depthwise.weight[:, :, :, kernel // 2] += 1.0
            self.project.weight *= 0.3

    def forward(self, x: Tensor) -> Tensor:
        y = _over_channels(self.project, torch.relu(self._expanded(_over_tokens(self.depthwise, x))))
        total: Tensor = x + self.dropout(y)
        return total

    def _expanded(self, x: Tensor) -> Tensor:
        return _over_channels(self.expand, x) if isinstance(self.expand, nn.Conv2d) else x


def _over_channels(layer: nn.Conv2d, x: Tensor) -> Tensor:
    """A convolution of width 1 on (B, T, W), as a product, which is faster on a CPU."""
    return functional.linear(x, layer.weight.flatten(1), layer.bias)


def _over_tokens(layer: nn.Conv2d, x: Tensor) -> Tensor:
    """A depthwise convolution on (B, T, W), as a sum of shifted inputs: its gradient takes half the time of torch's."""
    reach, step = int(layer.padding[1]), layer.dilation[1]
    padded, length = functional.pad(x, (0, 0, reach, reach)), x.shape[1]
    taps = layer.weight[:, 0, 0].t()  # (kernel, W)
    shifted = [padded[:, k * step : k * step + length] * tap for k, tap in enumerate(taps)]
    total = sum(shifted, torch.zeros(()))
    return total if layer.bias is None else total + layer.bias


class DenseBlock(nn.Module):
    """x + u * sigmoid(g), where [u; g] is a convolution of all channels of the normalised x."""

    def __init__(self, width: int, kernel: int, dilation: int, dropout: float) -> None:
        super().__init__()
        reach = dilation * (kernel // 2)
        self.norm = nn.LayerNorm(width)
        self.conv = nn.Conv2d(width, 2 * width, (1, kernel), padding=(0, reach), dilation=(1, dilation))
        self.dropout = nn.Dropout(dropout)

    def forward(self, x: Tensor) -> Tensor:
        image = self.norm(x).transpose(1, 2).unsqueeze(2)  # (B, W, 1, T)
        u, gate = self.conv(image).squeeze(2).transpose(1, 2).chunk(2, dim=2)
        total: Tensor = x + self.dropout(u * torch.sigmoid(gate))
        return total


class ContextNetwork(nn.Module):
    """Vectors of forms (U, width) and the tokens that have them → (B, T, width), from which `exit` scores tags."""

    def __init__(self, own: ConvArchitecture, width: int, tags: int) -> None:
        super().__init__()
        self.entry = nn.Linear(width, own.width)
        self.spacing = nn.Embedding(SPACINGS, own.width)
        nn.init.normal_(self.spacing.weight, std=0.1)
        block = partial(SeparableBlock, expand=own.expand) if own.separable else DenseBlock
        self.blocks = nn.ModuleList(block(own.width, own.kernel, step, own.dropout / 2) for step in own.steps)
        self.memory_at = own.memory_after
        self.memory = nn.Linear(own.width, own.width)
        self.memory_gate = nn.Linear(own.width, own.width)
        self.columns = nn.Linear(own.width, own.width) if own.columns else None
        self.columns_gate = nn.Linear(own.width, own.width) if own.columns else None
        self.summary = nn.Linear(own.width, own.width) if own.summary else None
        self.recurrent = nn.LSTM(own.width, own.recurrent, bidirectional=True) if own.recurrent else None
        self.dropout = nn.Dropout(own.dropout)
        self.width = 2 * own.recurrent or own.width
        self.norm = nn.LayerNorm(self.width)
        self.exit = nn.Linear(self.width, tags)

    def forward(self, vectors: Tensor, tokens: TokenBatch) -> Tensor:
        """(B, T, width): the features of each token for the last layer."""
        mask = tokens.mask
        x = self.entry(self.dropout(vectors))[tokens.kinds] + self.spacing(tokens.spacing)
        there = None if mask is None else mask[:, :, None]
        for i, block in enumerate(self.blocks):
            if i == self.memory_at and self.memory_at:
                x = x + self._remembered(x, tokens) + self._summarised(x, there)
            x = block(x if there is None else x * there)
        if self.recurrent is not None:
            x = self._read_in_order(self.recurrent, self.dropout(x), mask)
        known: Tensor = self.dropout(self.norm(x))
        return known

    def _read_in_order(self, layer: nn.LSTM, x: Tensor, mask: Tensor | None) -> Tensor:
        """The states of both directions (B, T, 2H). Each row is reversed within its own length, so that neither
        direction sees padding before tokens; torch's packed sequences give the same result but take several times as
        long.
        """
        if mask is None:
            both: Tensor = layer(x.transpose(0, 1))[0].transpose(0, 1)
            return both
        steps = torch.arange(x.shape[1])
        lengths = mask.sum(dim=1, keepdim=True).long()
        turned = torch.where(steps < lengths, lengths - 1 - steps, steps).unsqueeze(-1)  # (B, T, 1)
        onward = _one_direction(layer, x, "")
        back = _one_direction(layer, torch.take_along_dim(x, turned, 1), "_reverse")
        return torch.cat([onward, torch.take_along_dim(back, turned, 1)], dim=-1)

    def _remembered(self, x: Tensor, tokens: TokenBatch) -> Tensor:
        """What the other occurrences of its word and the other cells of its column tell about each token."""
        found = _largest(x, tokens.groups, tokens.places, self.memory, self.memory_gate)
        if self.columns is None or self.columns_gate is None:
            return found
        return found + _largest(x, tokens.column_groups, tokens.column_places, self.columns, self.columns_gate)

    def _summarised(self, x: Tensor, there: Tensor | None) -> Tensor | float:
        """(B, 1, W): the same for all tokens of a row, from the mean over them."""
        if self.summary is None:
            return 0.0
        mean = x.mean(dim=1) if there is None else (x * there).sum(dim=1) / there.sum(dim=1)
        summary: Tensor = torch.relu(self.summary(mean))
        return summary.unsqueeze(1)


def _largest(x: Tensor, groups: Tensor, places: Tensor, layer: nn.Linear, gate: nn.Linear) -> Tensor:
    """The maximum of each channel over the places of a token's group, after a gated layer."""
    largest = x.flatten(0, 1)[places].amax(dim=1)  # (G, W)
    gated = layer(largest) * torch.sigmoid(gate(largest))
    own: Tensor = gated[groups] * (groups != NO_WORD).unsqueeze(-1)
    return own


def _one_direction(layer: nn.LSTM, x: Tensor, direction: str) -> Tensor:
    """(B, T, W) → (B, T, H): one direction of a bidirectional layer, from left to right."""
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    weights = [getattr(layer, f"{name}{direction}") for name in names]
    start = x.new_zeros(1, len(x), layer.hidden_size)
    states: Tensor = torch.lstm(x, (start, start), weights, True, 1, 0.0, layer.training, False, True)[0]
    return states


class ConvNetwork(nn.Module):
    """The embedding of forms and the context network, as they are trained."""

    def __init__(self, own: ConvArchitecture, vectors: Tensor, lists: int, tags: int) -> None:
        super().__init__()
        self.forms = FormEmbedding(own, vectors, lists)
        self.context = ContextNetwork(own, self.forms.width, tags)
        self.auxiliary = nn.ModuleDict()

    def add_task(self, name: str, tags: int) -> None:
        """Add an auxiliary task with its own tags: it shares all layers except the last, and is not exported."""
        self.auxiliary[name] = nn.Linear(self.context.width, tags)

    def forward(self, forms: FormBatch, tokens: TokenBatch, task: str = "") -> Tensor:
        """Scores of tags (B, T, K), of the auxiliary task if one is named."""
        last = self.auxiliary[task] if task else self.context.exit
        scores: Tensor = last(self.context(self.forms(forms), tokens))
        return scores
