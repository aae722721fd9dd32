"""The token probabilities of several detectors: pooling, bias and comparison."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nadie.tokens.codec import OUTSIDE, tag_set
from nadie.tokens.probabilities import TokenProbabilities

Floats = npt.NDArray[np.float64]
_LEAST = 1e-4


def common_tags(tags: Sequence[Sequence[str]]) -> tuple[str, ...]:
    """The union of the tags, in a fixed order, `O` first."""
    return tuple(tag_set({tag[2:] for some in tags for tag in some if tag != OUTSIDE}))


def agreement(one: TokenProbabilities, other: TokenProbabilities) -> float:
    """The share of the tokens labelled by either that both give the same label; 1 if neither labels any."""
    labels, others = (np.array([tag[2:] for tag in p.tags])[p.values.argmax(axis=1)] for p in (one, other))
    labelled = (labels != "") | (others != "")
    return float((labels == others)[labelled].mean()) if labelled.any() else 1.0


def pooled(probabilities: Sequence[TokenProbabilities], weights: Sequence[float], tags: Sequence[str]) -> Floats:
    """The weighted geometric mean of the probabilities, (tokens, tags), scaled to sum to 1 at every token.

    Probabilities below `_LEAST` are raised to it, so that no single member can exclude a tag; tags that a member does
    not have get the same value.
    """
    column = {tag: i for i, tag in enumerate(tags)}
    total: Floats = np.zeros((len(probabilities[0].tokens), len(tags)), dtype=np.float64)
    for of_member, weight in zip(probabilities, weights, strict=True):
        values = np.full(total.shape, _LEAST)
        values[:, [column[tag] for tag in of_member.tags]] += of_member.values
        total += weight / sum(weights) * np.log(values)
    together: Floats = np.exp(total - total.max(axis=1, keepdims=True, initial=-np.inf))
    together /= together.sum(axis=1, keepdims=True)
    return together


def with_bias(pool: npt.NDArray[np.floating], bias: float) -> Floats:
    """The pool with `bias` added to the log-odds of each token being PHI; `O` is the first tag."""
    moved: Floats = pool.astype(np.float64)
    moved[:, 0] *= np.exp(-bias)
    moved /= moved.sum(axis=1, keepdims=True)
    return moved
