"""A convolutional channel over a sequence of fixed length."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class ConvolutionChannel(nn.Module):
    """Convolution → ReLU → dropout → max pooling → flat: one channel of Kim's (2014) network, kept in order.

    (B, length, width) → (B, size). Pooling runs over neighbours only, so that a place in the sequence keeps its place
    in the output.
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
