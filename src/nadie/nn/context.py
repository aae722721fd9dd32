"""Each token with its neighbours."""

from __future__ import annotations

from torch import Tensor, nn


class ContextConvolution(nn.Module):
    """A convolution over tokens, tanh after it (Jabreel et al. 2019, equation 7).

    inputs (B, T, width), zero on padding → (B, T, filters): every token keeps its place.
    """

    def __init__(self, width: int, filters: int, kernel: int) -> None:
        super().__init__()
        if kernel % 2 == 0:
            raise ValueError("an even kernel would shift the tokens")
        self.width = filters
        self.convolution = nn.Conv1d(width, filters, kernel, padding=kernel // 2)
        nn.init.xavier_uniform_(self.convolution.weight, gain=5 / 3)  # the gain that suits tanh

    def forward(self, inputs: Tensor) -> Tensor:
        seen: Tensor = self.convolution(inputs.transpose(1, 2))
        return seen.tanh().transpose(1, 2)
