"""The conditional random field of a network at work: tags and how likely they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from nadie.tokens.chain import FORBIDDEN, Chain
from nadie.tokens.codec import OUTSIDE, Chunk

Floats = npt.NDArray[np.float64]
Scores = npt.NDArray[np.floating]
_OUTSIDE = 0
_TINY = 1e-300


def allowed_steps(tags: Sequence[str]) -> npt.NDArray[np.bool_]:
    """(K + 1, K + 1): whether tag j may follow tag i; last row: may begin; last column: may end a sequence."""
    count = len(tags)
    steps = np.zeros((count + 1, count + 1), dtype=np.bool_)
    closed = any(tag[:2] in ("E-", "S-") for tag in tags)
    edges = [*tags, OUTSIDE]
    for i, before in enumerate(edges):
        for j, after in enumerate(edges):
            inside = after[:2] in ("I-", "E-")
            opened = before[:1] == "B" or before[:2] == "I-"
            if inside:
                steps[i, j] = opened and before[2:] == after[2:]
            else:
                steps[i, j] = not (opened and closed)
    return steps


@dataclass(frozen=True)
class Transitions:
    """The scores of steps: between tags (K, K), into the first tag (K,), out of the last (K,)."""

    between: Floats
    start: Floats
    end: Floats

    @classmethod
    def constrained(cls, between: Floats, start: Floats, end: Floats, tags: Sequence[str]) -> Transitions:
        """With the steps that the tag scheme forbids put out of reach."""
        steps = allowed_steps(tags)
        return cls(
            np.where(steps[:-1, :-1], between, FORBIDDEN),
            np.where(steps[-1, :-1], start, FORBIDDEN),
            np.where(steps[:-1, -1], end, FORBIDDEN),
        )

    @cached_property
    def chain(self) -> Chain:
        return Chain(self.between)

    def with_edges(self, scores: Scores) -> Scores:
        """Scores (T, K) with those of the first and of the last tag in them."""
        moved = np.array(scores, dtype=np.float32)
        if len(moved):
            moved[0] += self.start
            moved[-1] += self.end
        return moved


def viterbi(emissions: Scores, transitions: Transitions) -> list[int]:
    """The best tag sequence for emissions (T, K)."""
    return viterbi_all([emissions], transitions)[0]


def viterbi_all(
    sequences: Sequence[Scores], transitions: Transitions, beliefs: Sequence[Posterior] | None = None
) -> list[list[int]]:
    """The best tag sequence of each (T, K); where beliefs are at hand, tokens that are surely `O` are taken as that."""
    with_edges = [transitions.with_edges(scores) for scores in sequences]
    if beliefs is None:
        paths = transitions.chain.best_paths(with_edges)
    else:
        paths = transitions.chain.likely_paths(with_edges, [belief.marginals for belief in beliefs], _OUTSIDE)
    return [path.tolist() for path in paths]


@dataclass(frozen=True)
class Posterior:
    """What the field believes: `marginals` (T, K), and enough to ask for the probability of a whole chunk."""

    marginals: Floats
    _behind: Floats  # (T, K): scaled probability of what follows, given the tag here
    _emitted: Floats  # (T, K): exp(emissions), scaled
    _steps: Floats  # (K, K): exp(transitions)

    def following(self, t: int, tag: int) -> Floats:
        """p(tag at t = k | tag at t - 1 = `tag`), for every k."""
        weights: Floats = self._steps[tag] * self._emitted[t] * self._behind[t]
        return weights / max(float(weights.sum()), _TINY)


def posterior(emissions: Scores, transitions: Transitions) -> Posterior:
    """Forward-backward over emissions (T, K), on probabilities scaled at every step."""
    return posterior_all([emissions], transitions)[0]


def posterior_all(sequences: Sequence[Scores], transitions: Transitions) -> list[Posterior]:
    """Forward-backward over each (T, K), all sequences a step at a time, the longest first."""
    order = sorted(range(len(sequences)), key=lambda i: -len(sequences[i]))
    lengths = np.array([len(sequences[i]) for i in order])
    count, width = len(order), len(transitions.start)
    emitted = np.zeros((int(lengths.max(initial=0)), count, width))  # (T, B, K)
    for row, i in enumerate(order):
        scores = sequences[i].astype(np.float64)
        emitted[: lengths[row], row] = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    steps = np.exp(transitions.between)
    back_steps = np.ascontiguousarray(steps.T)
    ahead, behind = np.zeros_like(emitted), np.zeros_like(emitted)
    active = [int((lengths > t).sum()) for t in range(len(emitted))]
    for t, rows in enumerate(active):
        now = (ahead[t - 1, :rows] @ steps if t else np.exp(transitions.start)) * emitted[t, :rows]
        ahead[t, :rows] = now / np.maximum(now.sum(axis=1, keepdims=True), _TINY)
    last = np.exp(transitions.end)
    for t in range(len(emitted) - 1, -1, -1):
        going_on = active[t + 1] if t + 1 < len(active) else 0
        after = (behind[t + 1, :going_on] * emitted[t + 1, :going_on]) @ back_steps if going_on else last[None, :0]
        behind[t, :going_on] = after / np.maximum(after.sum(axis=1, keepdims=True), _TINY) if going_on else 0.0
        behind[t, going_on : active[t]] = last / last.sum()
    found: list[Posterior | None] = [None] * count
    for row, i in enumerate(order):
        marginals = ahead[: lengths[row], row] * behind[: lengths[row], row]
        marginals /= np.maximum(marginals.sum(axis=1, keepdims=True), _TINY)
        found[i] = Posterior(marginals, behind[: lengths[row], row], emitted[: lengths[row], row], steps)
    return [belief for belief in found if belief is not None]


def chunk_probabilities(
    belief: Posterior, path: Sequence[int], chunks: Sequence[Chunk], tags: Sequence[str]
) -> list[float]:
    """The probability of each chunk: that these tokens carry its tags, and that it goes on no further.

    Given the tag before it, a tag does not depend on earlier ones; so the chunk's probability is the marginal of its
    first tag times the conditional probability of each next one.
    """
    inside = np.array([tag[:2] in ("I-", "E-") for tag in tags])
    found = []
    for first, stop, _ in chunks:
        probability = float(belief.marginals[first, path[first]])
        for t in range(first + 1, stop):
            probability *= float(belief.following(t, path[t - 1])[path[t]])
        if stop < len(path):
            probability *= 1.0 - float(belief.following(stop, path[stop - 1])[inside].sum())
        found.append(min(max(probability, 0.0), 1.0))
    return found
