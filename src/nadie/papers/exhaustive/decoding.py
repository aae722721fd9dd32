"""Decoding of the scores of all spans: voting, then a set of entities without conflicts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.float32]
NO_ENTITY = 0
"""The class of a span that is not an entity; every other class is a type."""


@dataclass(frozen=True)
class Candidate:
    """Tokens `first` to `stop` (exclusive) are an entity of class `kind`, with probability `score`."""

    first: int
    stop: int
    kind: int
    score: float

    def overlaps(self, other: Candidate) -> bool:
        return self.first < other.stop and other.first < self.stop

    def crosses(self, other: Candidate) -> bool:
        """Whether the two overlap and neither contains the other."""
        return self.overlaps(other) and not (self._holds(other) or other._holds(self))

    def _holds(self, other: Candidate) -> bool:
        return self.first <= other.first and other.stop <= self.stop


def vote(scores: Sequence[Scores], room: int | None = None) -> list[Candidate]:
    """The spans that the vote of the variants classifies as entities.

    `scores` has an array (T, S, K) for each variant: the unnormalised scores of the K classes for the span that begins
    at token t and has s + 1 tokens. If the T tokens are not the whole text, `room` is the number of tokens up to its
    end, beyond which no span extends. Each variant has one vote for each span, for its most probable class, which may
    be "no entity". The class with the most votes wins (the paper's "maximum voting"); ties are broken by the
    probability summed over all variants. The score of the winning class is its mean probability over the variants.
    """
    tokens, sizes, classes = scores[0].shape
    ends = np.arange(tokens)[:, None] + np.arange(sizes)
    ballots = np.stack([variant.argmax(axis=2) for variant in scores])  # (V, T, S)
    first, size = np.nonzero(
        (ballots != NO_ENTITY).any(axis=0) & (ends < (tokens if room is None else room))
    )  # (N,) each
    if not len(first):
        return []
    cast = ballots[:, first, size]  # (V, N)
    votes = (cast[:, :, None] == np.arange(classes)).sum(axis=0)  # (N, K)
    mean = np.mean([softmax(variant[first, size]) for variant in scores], axis=0)  # (N, K), each below 1
    # Votes are integers and the mean probability is at most 1: halved, it only breaks ties.
    winners = (votes + 0.5 * mean).argmax(axis=1)
    return [
        Candidate(int(i), int(i + s + 1), int(kind), float(min(1.0, mean[n, kind])))
        for n, (i, s, kind) in enumerate(zip(first, size, winners, strict=True))
        if kind != NO_ENTITY
    ]


def flat(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Entities that do not overlap, accepted in the order of their probability.

    Of equally probable candidates the longest is first, then the left-most.
    """
    return _chosen(candidates, Candidate.overlaps)


def nested(candidates: Iterable[Candidate]) -> list[Candidate]:
    """Entities that may be nested but do not cross; the selection is the same as in `flat`."""
    return _chosen(candidates, Candidate.crosses)


def _chosen(candidates: Iterable[Candidate], excludes: Callable[[Candidate, Candidate], bool]) -> list[Candidate]:
    waiting = sorted(candidates, key=lambda c: (-c.score, c.first - c.stop, c.first, c.kind))
    longest = max((one.stop - one.first for one in waiting), default=0)
    kept: dict[int, list[Candidate]] = defaultdict(list)  # by first token, so that only neighbours are compared
    for one in waiting:
        near = (other for first in range(one.first - longest + 1, one.stop) for other in kept.get(first, ()))
        if not any(excludes(one, other) for other in near):
            kept[one.first].append(one)
    return sorted((one for some in kept.values() for one in some), key=lambda c: (c.first, c.stop))


def softmax(scores: Scores) -> npt.NDArray[np.float64]:
    """Scores (N, K) → probabilities."""
    exact = scores.astype(np.float64)
    grown = np.exp(exact - exact.max(axis=1, keepdims=True))
    normal: npt.NDArray[np.float64] = grown / grown.sum(axis=1, keepdims=True)
    return normal
