"""The conditional random field when it works: Viterbi and forward-backward in numpy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.tokens.codec import OUTSIDE, Chunk

Floats = npt.NDArray[np.float64]
_FORBIDDEN = -1e4
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
            np.where(steps[:-1, :-1], between, _FORBIDDEN),
            np.where(steps[-1, :-1], start, _FORBIDDEN),
            np.where(steps[:-1, -1], end, _FORBIDDEN),
        )


def viterbi(emissions: npt.NDArray[np.floating], transitions: Transitions) -> list[int]:
    """The best tag sequence for emissions (T, K)."""
    if len(emissions) == 0:
        return []
    came_from = np.empty(emissions.shape, dtype=np.int16)
    into = np.ascontiguousarray(transitions.between.T)  # row j: scores of steps into tag j
    every = np.arange(emissions.shape[1])
    best = transitions.start + emissions[0]
    for t in range(1, len(emissions)):
        through = into + best
        previous = through.argmax(axis=1)
        came_from[t] = previous
        best = through[every, previous] + emissions[t]
    path = [int((best + transitions.end).argmax())]
    for t in range(len(emissions) - 1, 0, -1):
        path.append(int(came_from[t, path[-1]]))
    return path[::-1]


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


def posterior(emissions: npt.NDArray[np.floating], transitions: Transitions) -> Posterior:
    """Forward-backward over emissions (T, K), on probabilities scaled at every step."""
    length = len(emissions)
    emitted = np.exp(emissions.astype(np.float64) - emissions.max(axis=1, keepdims=True, initial=-np.inf))
    steps = np.exp(transitions.between)
    back_steps = np.ascontiguousarray(steps.T)
    ahead = np.empty_like(emitted)
    behind = np.empty_like(emitted)
    for t in range(length):
        now = (ahead[t - 1] @ steps if t else np.exp(transitions.start)) * emitted[t]
        ahead[t] = now / max(now.sum(), _TINY)
    for t in range(length - 1, -1, -1):
        after = (behind[t + 1] * emitted[t + 1]) @ back_steps if t + 1 < length else np.exp(transitions.end)
        behind[t] = after / max(after.sum(), _TINY)
    marginals = ahead * behind
    marginals /= np.maximum(marginals.sum(axis=1, keepdims=True), _TINY)
    return Posterior(marginals, behind, emitted, steps)


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
