"""How likely tags are: forward-backward over many sequences at a time, on probabilities scaled at every step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from nadie.crf.viterbi import Chain, Scores, longest_first, stacked

_TOGETHER = 60_000  # tokens, with the padding between sequences of different length


@dataclass(frozen=True)
class Posterior:
    """The probabilities of a sequence: `marginals` (T, K) of every tag, and what those of whole chunks are made of."""

    marginals: Scores
    _behind: Scores  # (T, K): scaled probability of what follows, given the tag here
    _emitted: Scores  # (T, K): exp(emissions), scaled
    _steps: Scores  # (K, K): exp(transitions)

    def following(self, t: int, tag: int) -> Scores:
        """p(tag at t = k | tag at t - 1 = `tag`), for every k."""
        weights: Scores = self._steps[tag] * self._emitted[t] * self._behind[t]
        return _scaled(weights)

    def chunk_probabilities(
        self, path: Sequence[int], chunks: Sequence[tuple[int, int, str]], tags: Sequence[str]
    ) -> list[float]:
        """The probability of each chunk (first, stop, label) of a path: that these tokens carry its tags, and that it
        goes on no further.

        Given the tag before it, a tag does not depend on earlier ones; so the chunk's probability is the marginal of
        its first tag times the conditional probability of each next one.
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
    while order:  # sequences of like length together: a long one does not make room for itself in every other
        count = max(1, _TOGETHER // len(sequences[order[0]]))
        some, order = order[:count], order[count:]
        for i, posterior in zip(some, _posteriors([sequences[i] for i in some], chain, steps), strict=True):
            found[i] = posterior
    return found


def _posteriors(sequences: Sequence[Scores], chain: Chain, steps: Scores) -> Iterator[Posterior]:
    """Of sequences sorted by length, the longest first, and none of them empty."""
    emitted, running = stacked(sequences, chain.between.dtype)
    for row, rows in enumerate(sequences):
        scores = emitted[: len(rows), row]
        np.exp(scores - scores.max(axis=1, keepdims=True), out=scores)
    ahead, behind = _ahead(emitted, running, steps, chain), _behind(emitted, running, steps, chain)
    for row, rows in enumerate(sequences):
        own = slice(len(rows)), row
        yield Posterior(_scaled(ahead[own] * behind[own]), behind[own], emitted[own], steps)


def _ahead(emitted: Scores, running: Sequence[int], steps: Scores, chain: Chain) -> Scores:
    """(T, N, K): the probability of each tag by what comes up to it, scaled."""
    ahead = np.zeros(emitted.shape, dtype=emitted.dtype)
    now = np.exp(chain.start) * emitted[0]
    for t in range(len(emitted)):
        if t:
            now = (now[: running[t]] @ steps) * emitted[t, : running[t]]
        now = _scaled(now)
        ahead[t, : running[t]] = now
    return ahead


def _behind(emitted: Scores, running: Sequence[int], steps: Scores, chain: Chain) -> Scores:
    """(T, N, K): the probability of what comes after each tag, scaled."""
    behind = np.zeros(emitted.shape, dtype=emitted.dtype)
    back_steps = np.ascontiguousarray(steps.T)
    last = _scaled(np.exp(chain.end))
    for t in range(len(emitted) - 1, -1, -1):
        going_on = running[t + 1]
        if going_on:
            behind[t, :going_on] = _scaled((behind[t + 1, :going_on] * emitted[t + 1, :going_on]) @ back_steps)
        behind[t, going_on : running[t]] = last
    return behind


def _scaled(weights: Scores) -> Scores:
    """Rows that sum to 1."""
    total = weights.sum(axis=-1, keepdims=True)
    scaled: Scores = weights / np.maximum(total, np.finfo(weights.dtype).tiny)
    return scaled
