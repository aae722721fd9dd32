"""Convolutions over tokens."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class ContextConvolution(nn.Module):
    """A convolution over tokens, then tanh (Jabreel et al. 2019, equation 7).

    inputs (B, T, width), zero on padding → (B, T, filters): every token keeps its position.
    """

    def __init__(self, width: int, filters: int, kernel: int) -> None:
        super().__init__()
        if kernel % 2 == 0:
            raise ValueError("an even kernel would shift the tokens")
        self.width = filters
        self.convolution = nn.Conv1d(width, filters, kernel, padding=kernel // 2)
        nn.init.xavier_uniform_(self.convolution.weight, gain=5 / 3)  # the gain for tanh

    def forward(self, inputs: Tensor) -> Tensor:
        seen: Tensor = self.convolution(inputs.transpose(1, 2))
        return seen.tanh().transpose(1, 2)


class ConvolutionChannel(nn.Module):
    """One channel of Kim's (2014) network: convolution → ReLU → dropout → local max pooling → flatten.

    (B, length, width) → (B, size). Pooling is local, so that the order of the sequence is preserved in the output.
    """

    def __init__(self, length: int, width: int, filters: int, *, kernel: int, pool: int, dropout: float) -> None:
        super().__init__()
        self.convolution = nn.Conv1d(width, filters, kernel)
        self.dropout = nn.Dropout(dropout)
        self.pool = nn.MaxPool1d(pool)
        self.pooled = pool
        self.size = filters * ((length - kernel + 1) // pool)

    def forward(self, embedded: Tensor) -> Tensor:
        seen = torch.relu(self.convolution(embedded.transpose(1, 2)))  # (B, filters, length - kernel + 1)
        pooled: Tensor = self.pool(self.dropout(seen))
        return pooled.flatten(1)
