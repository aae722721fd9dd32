"""Probabilities of spans → probabilities of the BIO tags that all detectors share.

Spans are scored independently, so overlapping ones may each have a high probability. Here they compete: every set of
non-overlapping spans of a text has a weight, the product of the odds of its spans, and the probability of a span is the
weighted share of the sets that contain it. Forward and backward sums over the text compute this, as in a chain of tags.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.papers.exhaustive.decoding import NO_ENTITY, Scores, softmax

Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.intp]
_LEAST = -7.0
"""Spans whose score is lower than "no entity" by more than this are ignored: their odds are below a thousandth."""
_TINY = 1e-6


@dataclass(frozen=True)
class Cells:
    """N spans with non-negligible probability: first tokens and sizes minus one, (N,), and probabilities (N, K)."""

    first: Ints
    size: Ints
    probabilities: Floats


def likely_cells(scores: Sequence[Scores], begin: int, room: int) -> Cells:
    """The spans of a range of tokens that begins at token `begin`; `scores` and `room` are as in `vote`."""
    tokens, sizes, _ = scores[0].shape
    ends = np.arange(tokens)[:, None] + np.arange(sizes)
    near = np.any([variant[:, :, 1:].max(axis=2) - variant[:, :, NO_ENTITY] > _LEAST for variant in scores], axis=0)
    first, size = np.nonzero(near & (ends < room))
    mean = np.mean([softmax(variant[first, size]) for variant in scores], axis=0)  # (N, K)
    return Cells(first + begin, size, mean)


def bio_tags(labels: Sequence[str]) -> tuple[str, ...]:
    return ("O", *(f"B-{label}" for label in labels), *(f"I-{label}" for label in labels))


def tag_probabilities(chunks: Sequence[Cells], tokens: int, labels: int) -> npt.NDArray[np.float32]:
    """(tokens, tags of `bio_tags`), from the spans of all ranges of a text."""
    probabilities = np.zeros((tokens, 1 + 2 * labels), dtype=np.float32)
    if chunks:
        first = np.concatenate([cells.first for cells in chunks])
        size = np.concatenate([cells.size for cells in chunks])
        clipped = np.clip(np.concatenate([cells.probabilities for cells in chunks]), _TINY, 1 - _TINY)
        odds = clipped[:, 1:] / clipped[:, :1]  # (N, K - 1)
        chosen = _competing(first.tolist(), size.tolist(), np.log(odds.sum(axis=1)).tolist(), tokens)
        shares = odds * (chosen / odds.sum(axis=1))[:, None]
        np.add.at(probabilities, (first[:, None], np.arange(1, 1 + labels)), shares)
        for further in range(1, int(size.max(initial=0)) + 1):
            long = size >= further
            np.add.at(probabilities, (first[long, None] + further, np.arange(1 + labels, 1 + 2 * labels)), shares[long])
    probabilities[:, 0] = np.maximum(0.0, 1.0 - probabilities[:, 1:].sum(axis=1))
    return probabilities


def _competing(first: Sequence[int], size: Sequence[int], odds: Sequence[float], tokens: int) -> Floats:
    """The probability of each span, from the log-odds that it would have if no other span competed with it."""
    ending: dict[int, list[int]] = defaultdict(list)
    beginning: dict[int, list[int]] = defaultdict(list)
    stop = [a + s + 1 for a, s in zip(first, size, strict=True)]
    for n, (a, b) in enumerate(zip(first, stop, strict=True)):
        beginning[a].append(n)
        ending[b].append(n)
    ahead, behind = [0.0] * (tokens + 1), [0.0] * (tokens + 1)
    for t in range(1, tokens + 1):
        ways = [ahead[first[n]] + odds[n] for n in ending[t]] if t in ending else ()
        ahead[t] = _log_sum(ahead[t - 1], ways)
    for t in range(tokens - 1, -1, -1):
        ways = [behind[stop[n]] + odds[n] for n in beginning[t]] if t in beginning else ()
        behind[t] = _log_sum(behind[t + 1], ways)
    every = ahead[tokens]
    return np.array([math.exp(ahead[a] + o + behind[b] - every) for a, b, o in zip(first, stop, odds, strict=True)])


def _log_sum(value: float, others: Sequence[float]) -> float:
    if not others:
        return value
    top = max(value, *others)
    return top + math.log(math.exp(value - top) + sum(math.exp(other - top) for other in others))
