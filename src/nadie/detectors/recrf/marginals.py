"""How likely each tag is at each place: forward-backward in numpy, many notes at a time.

The notes of a batch are sorted by length, so that at step t the first n of them still run and no padding is computed.
Emissions are (T, K) for each note, transitions (K, K) from row to column, both as in a log-linear model.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


def marginals(emissions: Sequence[Floats], transitions: Floats) -> list[Floats]:
    """The probability of every tag at every place, (T, K) for each note, by scaled forward-backward."""
    order, running, stacked = _stack(emissions)
    count, length, tags = stacked.shape
    weights = np.exp(stacked - stacked.max(axis=2, keepdims=True))
    steps = np.exp(transitions - transitions.max())
    ahead = np.zeros((count, length, tags), dtype=np.float32)
    current = weights[:, 0] / weights[:, 0].sum(axis=1, keepdims=True)
    ahead[:, 0] = current
    for t in range(1, length):
        n = running[t]
        current = (current[:n] @ steps) * weights[:n, t]
        current /= current.sum(axis=1, keepdims=True)
        ahead[:n, t] = current
    behind = np.ones((count, tags), dtype=np.float32)
    for t in range(length - 2, -1, -1):
        n = running[t + 1]
        flow = (behind[:n] * weights[:n, t + 1]) @ steps.T
        behind[:n] = flow / flow.sum(axis=1, keepdims=True)
        joint = ahead[:n, t] * behind[:n]
        ahead[:n, t] = joint / joint.sum(axis=1, keepdims=True)
    found: list[Floats] = [np.zeros((0, tags), dtype=np.float32)] * len(emissions)
    for row, note in enumerate(order):
        found[note] = ahead[row, : len(emissions[note])]
    return found


def _stack(emissions: Sequence[Floats]) -> tuple[list[int], list[int], Floats]:
    """The order of the notes by length, how many still run at each step, and all emissions, (N, T, K)."""
    order = sorted((i for i in range(len(emissions)) if len(emissions[i])), key=lambda i: -len(emissions[i]))
    length = len(emissions[order[0]])
    stacked = np.zeros((len(order), length, emissions[order[0]].shape[1]), dtype=np.float32)
    for row, note in enumerate(order):
        stacked[row, : len(emissions[note])] = emissions[note]
    sizes = np.array([len(emissions[note]) for note in order])
    running = len(sizes) - np.searchsorted(sizes[::-1], np.arange(length), side="right")
    return order, running.tolist(), stacked
