"""Beliefs of several detectors → one belief, and the chunks it says."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nadie.crf.viterbi import Chain
from nadie.detectors.base import Belief
from nadie.tokens.codec import Chunk, allowed_steps, decode, tag_set

Floats = npt.NDArray[np.float64]
_LEAST = 1e-4
_TINY = 1e-9


def common_tags(beliefs: Sequence[Belief]) -> tuple[str, ...]:
    """The tags of all, in a fixed order, `O` first."""
    return tuple(tag_set({tag[2:] for belief in beliefs for tag in belief.tags if tag != "O"}))


def pooled(beliefs: Sequence[Belief], weights: Sequence[float], tags: Sequence[str]) -> Floats:
    """The weighted geometric mean of the probabilities, (tokens, tags), scaled to sum to 1 at every token.

    No probability counts as less than `_LEAST`, so that no member forbids what all others see; so little is also what
    a member gives to a tag that it does not know.
    """
    column = {tag: i for i, tag in enumerate(tags)}
    total: Floats = np.zeros((len(beliefs[0].tokens), len(tags)), dtype=np.float64)
    for belief, weight in zip(beliefs, weights, strict=True):
        believed = np.full(total.shape, _LEAST)
        believed[:, [column[tag] for tag in belief.tags]] += belief.probabilities
        total += weight / sum(weights) * np.log(believed)
    together: Floats = np.exp(total - total.max(axis=1, keepdims=True, initial=-np.inf))
    together /= together.sum(axis=1, keepdims=True)
    return together


def leaned(pool: Floats, towards: Sequence[float]) -> Floats:
    """The pool with the odds of each tag multiplied by e to the power that `towards` has for it."""
    moved: Floats = pool * np.exp(towards)
    moved /= moved.sum(axis=1, keepdims=True)
    return moved


def best_chunks(pools: Sequence[Floats], tags: Sequence[str]) -> list[list[tuple[Chunk, float]]]:
    """For each text the chunks of the likeliest well-formed tag sequence, with the sureness of the least sure token."""
    chain = Chain.of_allowed(allowed_steps(tags))
    paths = chain.best_paths([np.log(np.maximum(pool, _TINY)) for pool in pools])
    found = []
    for pool, path in zip(pools, paths, strict=True):
        chunks = decode([tags[tag] for tag in path])
        found.append([(chunk, _sureness(pool, chunk, tags)) for chunk in chunks])
    return found


def _sureness(pool: Floats, chunk: Chunk, tags: Sequence[str]) -> float:
    columns = [i for i, tag in enumerate(tags) if tag[2:] == chunk.label]
    return float(min(1.0, pool[chunk.first : chunk.stop][:, columns].sum(axis=1).min()))
