"""Batches of sequences of about the same length."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_POOL = 50


def bucketed(lengths: Sequence[int], budget: int, rng: np.random.Generator) -> list[list[int]]:
    """Indices in batches of at most `budget` tokens, padding counted; a longer sequence is a batch of its own.

    The order is random. Sequences are sorted by length only within pools of some fifty batches, so that little is
    lost to padding and yet no two epochs have the same batches.
    """
    order = rng.permutation(len(lengths))
    mean = max(1.0, float(np.mean(lengths))) if len(lengths) else 1.0
    pool = max(1, int(_POOL * budget / mean))
    batches: list[list[int]] = []
    for begin in range(0, len(order), pool):
        batch: list[int] = []
        for i in sorted((int(i) for i in order[begin : begin + pool]), key=lambda i: lengths[i]):
            if batch and lengths[i] * (len(batch) + 1) > budget:
                batches.append(batch)
                batch = []
            batch.append(i)
        if batch:
            batches.append(batch)
    return [batches[int(i)] for i in rng.permutation(len(batches))]
