"""Probabilities of tags: forward-backward over many sequences at a time, on probabilities scaled at every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nadie.crf.viterbi import Chain, Scores, longest_first, stacked

_TOGETHER = 60_000  # tokens in one batch, including padding


@dataclass(frozen=True)
class Posterior:
    """The probabilities of a sequence: `marginals` (T, K) of every tag, and the factors for those of whole chunks."""

    marginals: Scores
    _backward: Scores  # (T, K): scaled probability of the rest of the sequence, given the tag here
    _emitted: Scores  # (T, K): exp(emissions), scaled
    _steps: Scores  # (K, K): exp(transitions)

    def following(self, t: int, tag: int) -> Scores:
        """p(tag at t = k | tag at t - 1 = `tag`), for every k."""
        weights: Scores = self._steps[tag] * self._emitted[t] * self._backward[t]
        return _scaled(weights)

    def chunk_probabilities(
        self, path: Sequence[int], chunks: Sequence[tuple[int, int, str]], tags: Sequence[str]
    ) -> list[float]:
        """The probability that each chunk (first, stop, label) of a path is exactly right.

        Given the previous tag, a tag does not depend on earlier ones; so the probability of the chunk is the marginal
        of its first tag times the conditional probability of each following tag.
        """
        inside = np.array([tag[:2] in ("I-", "E-") for tag in tags])
        found = []
        for first, stop, _ in chunks:
            probability = float(self.marginals[first, path[first]])
            for t in range(first + 1, stop):
                probability *= float(self.following(t, path[t - 1])[path[t]])
            if stop < len(path):
                probability *= 1.0 - float(self.following(stop, path[stop - 1])[inside].sum())
            found.append(min(max(probability, 0.0), 1.0))
        return found


def posteriors(sequences: Sequence[Scores], chain: Chain) -> list[Posterior]:
    """The probabilities of each sequence of emissions (T, K), in the precision of the chain."""
    nothing = np.zeros((0, len(chain.between)), dtype=chain.between.dtype)
    steps = np.exp(chain.between)
    found = [Posterior(nothing, nothing, nothing, steps)] * len(sequences)
    order = longest_first(sequences)
    while order:  # group sequences of similar length, to limit padding
        count = max(1, _TOGETHER // len(sequences[order[0]]))
        some, order = order[:count], order[count:]
        for i, posterior in zip(some, _posteriors([sequences[i] for i in some], chain, steps), strict=True):
            found[i] = posterior
    return found


def _posteriors(sequences: Sequence[Scores], chain: Chain, steps: Scores) -> Iterator[Posterior]:
    """The posteriors of sequences sorted by length, the longest first; none of them is empty."""
    emitted, running = stacked(sequences, chain.between.dtype)
    for row, rows in enumerate(sequences):
        scores = emitted[: len(rows), row]
        np.exp(scores - scores.max(axis=1, keepdims=True), out=scores)
    forward, backward = _forward(emitted, running, steps, chain), _backward(emitted, running, steps, chain)
    for row, rows in enumerate(sequences):
        own = slice(len(rows)), row
        yield Posterior(_scaled(forward[own] * backward[own]), backward[own], emitted[own], steps)


def _forward(emitted: Scores, running: Sequence[int], steps: Scores, chain: Chain) -> Scores:
    """(T, N, K): the scaled probability of each tag given the sequence up to it."""
    forward = np.zeros(emitted.shape, dtype=emitted.dtype)
    now = np.exp(chain.start) * emitted[0]
    for t in range(len(emitted)):
        if t:
            now = (now[: running[t]] @ steps) * emitted[t, : running[t]]
        now = _scaled(now)
        forward[t, : running[t]] = now
    return forward


def _backward(emitted: Scores, running: Sequence[int], steps: Scores, chain: Chain) -> Scores:
    """(T, N, K): the scaled probability of the rest of the sequence after each tag."""
    backward = np.zeros(emitted.shape, dtype=emitted.dtype)
    back_steps = np.ascontiguousarray(steps.T)
    last = _scaled(np.exp(chain.end))
    for t in range(len(emitted) - 1, -1, -1):
        going_on = running[t + 1]
        if going_on:
            backward[t, :going_on] = _scaled((backward[t + 1, :going_on] * emitted[t + 1, :going_on]) @ back_steps)
        backward[t, going_on : running[t]] = last
    return backward


def _scaled(weights: Scores) -> Scores:
    """The rows, scaled to sum to 1."""
    total = weights.sum(axis=-1, keepdims=True)
    scaled: Scores = weights / np.maximum(total, np.finfo(weights.dtype).tiny)
    return scaled
