"""The linear-chain conditional random field of Lafferty et al. (2001), over a network as in Lample et al. (2016)."""

from __future__ import annotations

import torch
from torch import Tensor, nn

FORBIDDEN = -1e4
"""The score of a transition that the tag scheme forbids: its probability is exactly 0 in double precision."""
_TINY = 1e-300


class LinearChainCRF(nn.Module):
    """Scores tag sequences: s(x, y) = start[y1] + Σ emissions[t, yt] + Σ transitions[yt, yt+1] + end[yT].

    `allowed` (K + 1, K + 1) has the steps that the tag scheme permits: row i, column j is the step from tag i to tag j;
    the last row is the beginning of a sequence, the last column its end. None permits every step.

    The recursions run in double precision on probabilities rather than on logarithms, so that each step is one matrix
    product. Precision is lost only if two scores at one position differ by more than about 690 nats.
    """

    allowed: Tensor

    def __init__(self, tags: int, allowed: Tensor | None = None) -> None:
        super().__init__()
        steps = torch.ones(tags + 1, tags + 1, dtype=torch.bool) if allowed is None else allowed.bool()
        self.tags = tags
        self.register_buffer("allowed", steps, persistent=False)
        self.transitions = nn.Parameter(torch.empty(tags, tags).uniform_(-0.1, 0.1))
        self.start = nn.Parameter(torch.empty(tags).uniform_(-0.1, 0.1))
        self.end = nn.Parameter(torch.empty(tags).uniform_(-0.1, 0.1))

    def steps(self) -> tuple[Tensor, Tensor, Tensor]:
        """Transitions (K, K), start (K,) and end (K,) scores, with forbidden ones set to a very low score."""
        forbidden = ~self.allowed
        return (
            self.transitions.masked_fill(forbidden[:-1, :-1], FORBIDDEN),
            self.start.masked_fill(forbidden[-1, :-1], FORBIDDEN),
            self.end.masked_fill(forbidden[:-1, -1], FORBIDDEN),
        )

    def log_likelihood(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        """log p(tags | emissions) of each sequence.

        emissions (B, T, K), tags (B, T) integers, mask (B, T) true on tokens, true at the first → (B,).
        """
        emissions = emissions.double()
        return self._score(emissions, tags, mask) - self._log_partition(emissions, mask)

    def marginals(self, emissions: Tensor, mask: Tensor) -> Tensor:
        """p(tag at t = k | emissions) by forward-backward: (B, T, K), zero where the mask is false."""
        transitions, _, end = (scores.detach().double() for scores in self.steps())
        emissions = emissions.detach().double()
        forward = torch.stack(self._forward(emissions, mask), dim=1).detach()  # (B, T, K)
        after = end.expand_as(emissions[:, 0])  # (B, K)
        backward = [after]
        for t in range(emissions.shape[1] - 1, 0, -1):
            ahead = _log_matmul(after + emissions[:, t], transitions.T)
            after = torch.where(mask[:, t : t + 1], ahead, after)
            backward.append(after)
        joint = forward + torch.stack(backward[::-1], dim=1)
        return torch.softmax(joint, dim=2) * mask.unsqueeze(2)

    def _forward(self, emissions: Tensor, mask: Tensor) -> list[Tensor]:
        transitions, start, _ = (scores.double() for scores in self.steps())
        alpha = start + emissions[:, 0]  # (B, K)
        alphas = [alpha]
        exp_transitions = transitions.exp()
        for t in range(1, emissions.shape[1]):
            reached = _log_matmul_exp(alpha, exp_transitions) + emissions[:, t]
            alpha = torch.where(mask[:, t : t + 1], reached, alpha)
            alphas.append(alpha)
        return alphas

    def _log_partition(self, emissions: Tensor, mask: Tensor) -> Tensor:
        _, _, end = self.steps()
        return torch.logsumexp(self._forward(emissions, mask)[-1] + end.double(), dim=1)

    def _score(self, emissions: Tensor, tags: Tensor, mask: Tensor) -> Tensor:
        transitions, start, end = (scores.double() for scores in self.steps())
        inside = mask.to(emissions.dtype)
        emitted = (emissions.gather(2, tags.unsqueeze(2)).squeeze(2) * inside).sum(dim=1)
        stepped = (transitions[tags[:, :-1], tags[:, 1:]] * inside[:, 1:]).sum(dim=1)
        last = tags.gather(1, (mask.long().sum(dim=1) - 1).unsqueeze(1)).squeeze(1)
        return start[tags[:, 0]] + emitted + stepped + end[last]


def _log_matmul(log_left: Tensor, log_right: Tensor) -> Tensor:
    return _log_matmul_exp(log_left, log_right.exp())


def _log_matmul_exp(log_left: Tensor, right: Tensor) -> Tensor:
    """log(exp(log_left) @ right): (B, K) and (K, K) → (B, K)."""
    top = log_left.amax(dim=1, keepdim=True).detach()
    return ((log_left - top).exp() @ right).clamp_min(_TINY).log() + top
