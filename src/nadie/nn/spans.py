"""Every span of a sequence at once (Sohrab, Pham and Miwa 2019, section 3.3 and 3.4).

Letters in shapes: B sequences, T tokens, S span sizes, W width of a token's state, H hidden units. A span is the cell
[i, s] of a grid (T, S): it begins at token i, has s + 1 tokens, and ends at token k = i + s.
"""

from __future__ import annotations

from typing import Literal

import torch
from torch import Tensor, nn

Boundary = Literal["base", "minus"]
Inside = Literal["average", "attention"]
LOWEST = -80.0
"""The lowest attention score relative to the highest one nearby: exp(-80) is still a normal number."""


class SpanLayer(nn.Module):
    """A linear layer over the representations R(i, k) of all spans, which are never built explicitly.

    states (B, T, W), zero on padding → (B, T, S, H): weight · R(i, k) + bias for the span in each cell. Cells whose
    span would end after its sequence have undefined values.

    R(i, k) is a concatenation of parts, so that weight · R(i, k) is a sum of one product for each part; and each part
    is a state, a difference of states or a weighted mean of states, so that the product can be computed once per
    token before anything is combined. For each span it remains to add two vectors for its ends and one for its inside.
    For 12 sizes this is some 50 times less work than multiplying the representations.

    The parts, in the order of the blocks of `projection`:

    - `left`, `right`: the boundary (equation 1, or equation 7 with LSTM-minus);
    - `inside`: the mean (equation 2) or the attention-weighted mean (equations 3 to 5) of the states inside;
    - with `context`: `before`, `first`, `after`, the states of the token before, the first token and the token after
      the span (section 3.4).

    The paper does not define the states before the first token and after the last; they are zero here.
    """

    def __init__(
        self, width: int, hidden: int, sizes: int, *, boundary: Boundary, inside: Inside, context: bool
    ) -> None:
        super().__init__()
        self.hidden = hidden
        self.sizes = sizes
        self.boundary: Boundary = boundary
        self.inside: Inside = inside
        self.context = context
        self.parts = ("left", "right", "inside", *(("before", "first", "after") if context else ()))
        self.projection = nn.Linear(width, len(self.parts) * hidden, bias=False)
        self.bias = nn.Parameter(torch.zeros(hidden))
        self.attention = SpanAttention(width, hidden) if inside == "attention" else None

    def forward(self, states: Tensor) -> Tensor:
        projected = _exact(self.projection(states))  # (B, T, parts * H)
        of = dict(zip(self.parts, projected.chunk(len(self.parts), dim=2), strict=True))
        starts, ends = self._ends(of)  # (B, T, H) each
        starts = starts + self.bias
        scores = _exact(self.attention(states)) if self.attention is not None else None
        insides = _running_means(of["inside"], self._token_weights(scores), self.sizes)
        grid = [
            starts + reached + mean for reached, mean in zip(_ahead(ends, self.sizes), insides, strict=True)
        ]  # S times (B, T, H)
        return torch.stack(grid, dim=2)

    def _ends(self, of: dict[str, Tensor]) -> tuple[Tensor, Tensor]:
        """The contributions of the first token i and the last token k of a span, (B, T, H) each."""
        left, right = of["left"], of["right"]
        if self.boundary == "base":
            starts, ends = left, right  # equation 1: [h_i; h_k]
        else:
            starts = right - previous(left)  # equation 7: [h_k - h_(i-1); h_i - h_(k+1)]
            ends = left - following(right)
        if self.context:  # section 3.4: [h_(i-1); h_i; h_(k+1)]
            starts = starts + previous(of["before"]) + of["first"]
            ends = ends + following(of["after"])
        return starts, ends

    def _token_weights(self, scores: Tensor | None) -> list[Tensor] | None:
        """exp of the attention scores (B, T, 1) of the tokens i, i + 1, ...: S times (B, T, 1).

        The scores are relative to the highest among the S tokens from i on, which does not change the quotient of
        equation 4 and keeps exp within its range.
        """
        if scores is None:
            return None
        grid = torch.stack(_ahead(scores, self.sizes), dim=2)  # (B, T, S, 1)
        relative = grid - grid.detach().amax(dim=2, keepdim=True)
        return list(relative.clamp_min(LOWEST).exp().unbind(dim=2))


class SpanAttention(nn.Module):
    """The score α_t = w_α · FFNN_α(x_t) of every token (equation 3): states (B, T, W) → (B, T, 1).

    The paper does not define FFNN_α; here it is one hidden layer with ReLU, as in Lee et al. (2017), the source of the
    equation.
    """

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.hidden = nn.Linear(width, hidden)
        self.score = nn.Linear(hidden, 1, bias=False)

    def forward(self, states: Tensor) -> Tensor:
        scores: Tensor = self.score(self.hidden(states).relu())
        return scores


def previous(values: Tensor) -> Tensor:
    """The values of the token before each token, zero before the first: (B, T, H) → (B, T, H)."""
    return nn.functional.pad(values, (0, 0, 1, 0))[:, :-1]


def following(values: Tensor) -> Tensor:
    """The values of the token after each token, zero after the last: (B, T, H) → (B, T, H)."""
    return nn.functional.pad(values, (0, 0, 0, 1))[:, 1:]


def _exact(values: Tensor) -> Tensor:
    """Convert to float32: under autocast the products are in bfloat16, which is not precise enough for means."""
    return values.float() if values.dtype == torch.bfloat16 else values


def _ahead(values: Tensor, sizes: int) -> list[Tensor]:
    """The values shifted by 0, 1, ... sizes - 1 tokens: one view (B, T, H) of the values (B, T, H) per size."""
    tokens = values.shape[1]
    padded = nn.functional.pad(values, (0, 0, 0, sizes - 1))
    return [padded[:, s : s + tokens] for s in range(sizes)]


def _running_means(values: Tensor, weights: list[Tensor] | None, sizes: int) -> list[Tensor]:
    """The mean of `values` over each span, one (B, T, H) per size.

    With weights it is equation 5 with equation 4's denominator; without weights it is the mean of equation 2. The sums
    grow from each first token, one token per size: unlike differences of sums over the whole sequence they do not lose
    precision if a neighbour has much larger values than the span.
    """
    total = torch.zeros_like(values)
    mass = values.new_zeros(1)
    means: list[Tensor] = []
    for s, ahead in enumerate(_ahead(values, sizes)):
        total = total + (ahead if weights is None else ahead * weights[s])
        mass = mass + (1.0 if weights is None else weights[s])
        means.append(total / mass)
    return means
