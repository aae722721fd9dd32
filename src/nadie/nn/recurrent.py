"""The bidirectional LSTM over the words of a sequence (Hochreiter and Schmidhuber 1997)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn


class BiLSTM(nn.Module):
    """One or more bidirectional layers, with dropout between them.

    inputs (B, T, width), lengths (B,) at least 1 → (B, T, 2 * hidden), zero after the end of each sequence.
    """

    def __init__(self, width: int, hidden: int, layers: int = 1, dropout: float = 0.0) -> None:
        super().__init__()
        self.width = 2 * hidden
        self.layers = nn.ModuleList(BiLSTMLayer(width if i == 0 else 2 * hidden, hidden) for i in range(layers))
        self.dropout = nn.Dropout(dropout)

    def forward(self, inputs: Tensor, lengths: Tensor) -> Tensor:
        places = torch.arange(inputs.shape[1], device=inputs.device).unsqueeze(0)  # (1, T)
        inside = places < lengths.unsqueeze(1)  # (B, T)
        backwards = torch.where(inside, lengths.unsqueeze(1) - 1 - places, places)  # (B, T): each sequence reversed
        for i, layer in enumerate(self.layers):
            inputs = layer(self.dropout(inputs) if i else inputs, backwards) * inside.unsqueeze(2)
        return inputs


class BiLSTMLayer(nn.Module):
    """One bidirectional layer. inputs (B, T, width), backwards (B, T) → (B, T, 2 * hidden).

    `backwards` has the positions of each sequence in reverse order, so that padding comes last in both directions and
    does not affect tokens. Weights are stacked over the two directions; the gates are in the order input, forget, cell,
    output.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.hidden = hidden
        self.input_weight = nn.Parameter(torch.empty(2, 4 * hidden, width))
        self.recurrent_weight = nn.Parameter(torch.empty(2, 4 * hidden, hidden))
        self.bias = nn.Parameter(torch.zeros(2, 4 * hidden))
        self._begin()

    @torch.no_grad()
    def _begin(self) -> None:
        """Xavier input weights, orthogonal state weights, open forget gates: converges in few epochs."""
        for direction in range(2):
            for gate in range(4):
                rows = slice(gate * self.hidden, (gate + 1) * self.hidden)
                nn.init.xavier_uniform_(self.input_weight[direction, rows])
                nn.init.orthogonal_(self.recurrent_weight[direction, rows])
        self.bias[:, self.hidden : 2 * self.hidden] = 1.0

    def forward(self, inputs: Tensor, backwards: Tensor) -> Tensor:
        gates = nn.functional.linear(inputs, self.input_weight.flatten(0, 1), self.bias.flatten())  # (B, T, 8H)
        ahead, behind = gates.chunk(2, dim=2)
        behind = behind.gather(1, backwards.unsqueeze(2).expand_as(behind))
        both = torch.stack([ahead, behind]).permute(2, 0, 1, 3).to(self.recurrent_weight.dtype)  # (T, 2, B, 4H)
        states: Tensor = _Recurrence.apply(both.contiguous(), self.recurrent_weight)  # type: ignore[no-untyped-call]
        ahead, behind = states.permute(1, 2, 0, 3)  # (B, T, H) each
        behind = behind.gather(1, backwards.unsqueeze(2).expand_as(behind))
        return torch.cat([ahead, behind], dim=2)


class _Recurrence(torch.autograd.Function):
    """The sequential part of an LSTM: gates from inputs (T, 2, B, 4H) → states (T, 2, B, H).

    Automatic differentiation would compute and add the gradient of the recurrent weights at every step, which takes two
    thirds of the training time on a CPU. Here the steps only propagate the gradient, and the gradient of the weights is
    one product over all steps at the end. Under autocast only the products are in bfloat16.
    """

    @staticmethod
    def forward(ctx: Any, gates: Tensor, weight: Tensor) -> Tensor:
        steps, _, rows, wide = gates.shape
        hidden = wide // 4
        kind = torch.bfloat16 if torch.is_autocast_enabled("cpu") else weight.dtype
        turned = weight.transpose(1, 2).to(kind).contiguous()  # (2, H, 4H)
        opened = torch.empty_like(gates)  # the gates after their nonlinearity
        cells = gates.new_zeros(steps + 1, 2, rows, hidden)
        squashed = gates.new_empty(steps, 2, rows, hidden)  # tanh(cell)
        states = gates.new_zeros(steps + 1, 2, rows, hidden)
        for t in range(steps):
            here = opened[t]
            torch.add(gates[t], torch.bmm(states[t].to(kind), turned), out=here)
            i, f, g, o = here.chunk(4, dim=2)
            here[..., : 2 * hidden].sigmoid_()
            g.tanh_()
            o.sigmoid_()
            torch.addcmul(f * cells[t], i, g, out=cells[t + 1])
            torch.tanh(cells[t + 1], out=squashed[t])
            torch.mul(o, squashed[t], out=states[t + 1])
        ctx.save_for_backward(opened, cells, squashed, states, weight.to(kind))
        return states[1:]

    @staticmethod
    def backward(ctx: Any, gradient: Tensor) -> tuple[Tensor, Tensor]:
        opened, cells, squashed, states, weight = ctx.saved_tensors
        steps, _, rows, hidden = squashed.shape
        i, f, g, o = opened.chunk(4, dim=3)
        into_cell = o * (1 - squashed * squashed)
        slopes = torch.cat([g * i * (1 - i), cells[:-1] * f * (1 - f), i * (1 - g * g), squashed * o * (1 - o)], dim=3)
        carried = gradient.new_zeros(2, rows, hidden)  # d loss / d state, from the step after
        cell = torch.zeros_like(carried)
        for t in range(steps - 1, -1, -1):
            state = carried.add_(gradient[t])
            cell = torch.addcmul(cell, state, into_cell[t])
            here = slopes[t]  # becomes d loss / d gates in place
            here[..., : 3 * hidden].view(2, rows, 3, hidden).mul_(cell.unsqueeze(2))
            here[..., 3 * hidden :].mul_(state)
            cell = cell * f[t]
            carried = torch.bmm(here.to(weight.dtype), weight).to(here.dtype)
        by_direction = slopes.transpose(0, 1).flatten(1, 2)  # (2, T * B, 4H)
        before = states[:-1].transpose(0, 1).flatten(1, 2)  # (2, T * B, H)
        kind = weight.dtype
        return slopes, torch.bmm(by_direction.transpose(1, 2).to(kind), before.to(kind)).to(slopes.dtype)
