"""The best path through a linear chain, in numpy, for many sequences at a time.

Scores of tags are (T, K) for each sequence, scores of steps (K, K) from row to column, both as in a log-linear model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.floating]
Ints = npt.NDArray[np.intp]
FORBIDDEN = -1e4
"""The score of a step that must not be taken; what is far below zero is not looked at where there is another way."""
_ROOM = 1 << 19  # bytes for the sums of one step: what stays in the processor's cache
_SURE = 1e-4


@dataclass(frozen=True)
class _Group:
    """Tags that can be reached from the same tags: `into` of them from `out_of`, with the scores of the steps."""

    out_of: Ints
    into: Ints
    steps: Scores  # (from, to)
    is_all: bool = False  # whether these are all tags, in their order


class Chain:
    """The steps of a chain, sorted by what can follow what, so that forbidden steps cost nothing."""

    def __init__(self, steps: Scores) -> None:
        self.steps = np.ascontiguousarray(steps, dtype=np.float32)
        self._into = np.ascontiguousarray(self.steps.T)  # row j: the scores of steps into tag j
        self._dense, self._sparse = _groups(self.steps)

    def best_paths(self, sequences: Sequence[Scores]) -> list[Ints]:
        """The best tags of each sequence. Scores of a first and of a last tag belong into the first and last row."""
        paths: list[Ints] = [np.zeros(0, dtype=np.intp)] * len(sequences)
        order = sorted((i for i, rows in enumerate(sequences) if len(rows)), key=lambda i: -len(sequences[i]))
        together = max(1, _ROOM // max((group.steps.nbytes for group in self._dense), default=_ROOM // 64))
        for first in range(0, len(order), together):
            some = order[first : first + together]
            for i, path in zip(some, self._together([sequences[i] for i in some]), strict=True):
                paths[i] = path
        return paths

    def likely_paths(self, sequences: Sequence[Scores], beliefs: Sequence[Scores], outside: int) -> list[Ints]:
        """As `best_paths`, but tags that are `outside` with all but certainty, by `beliefs` (T, K), are taken as that.

        Between two such tags a stretch does not depend on the rest, and most of a note is no stretch at all. A path
        that went another way would have a probability under 0.0001.
        """
        paths = [np.full(len(rows), outside, dtype=np.intp) for rows in sequences]
        stretches = [
            (i, first, stop)
            for i, belief in enumerate(beliefs)
            for first, stop in _runs(np.asarray(belief[:, outside] < 1.0 - _SURE))
        ]
        parts = []
        for i, first, stop in stretches:
            part = np.array(sequences[i][first:stop], dtype=np.float32)
            if first:
                part[0] += self.steps[outside]
            if stop < len(sequences[i]):
                part[-1] += self._into[outside]
            parts.append(part)
        for (i, first, stop), path in zip(stretches, self.best_paths(parts), strict=True):
            paths[i][first:stop] = path
        return paths

    def _together(self, sequences: Sequence[Scores]) -> Iterator[Ints]:
        """The paths of sequences sorted by length, the longest first: at each step only those that still run."""
        sizes = np.array([len(rows) for rows in sequences])
        best = np.zeros((sizes[0], len(sequences), len(self.steps)), dtype=np.float32)
        for i, rows in enumerate(sequences):
            best[: len(rows), i] = rows
        running = len(sequences) - np.searchsorted(sizes[::-1], np.arange(sizes[0] + 1), side="right")
        counts = running.tolist()
        rooms = [np.empty((len(g.out_of), len(sequences), len(g.into)), dtype=np.float32) for g in self._dense]
        for t in range(1, len(best)):
            self._step(best[t - 1, : counts[t]], best[t, : counts[t]], rooms)
        path = np.zeros(best.shape[:2], dtype=np.intp)
        for t in range(len(best) - 1, -1, -1):
            ending, going_on = counts[t], counts[t + 1]
            if going_on:
                path[t, :going_on] = (best[t, :going_on] + self._into[path[t + 1, :going_on]]).argmax(axis=1)
            if ending > going_on:
                path[t, going_on:ending] = best[t, going_on:ending].argmax(axis=1)
        return (path[:size, i] for i, size in enumerate(sizes.tolist()))

    def _step(self, before: Scores, after: Scores, rooms: Sequence[Scores]) -> None:
        """Add to `after` (N, K) the best way there from `before` (N, K).

        The sums are (from, N, to), as numpy is fastest at finding a maximum over the first axis, and go into `rooms`:
        asking for new memory at every step takes as long as the sums.
        """
        for group, room in zip(self._dense, rooms, strict=True):
            ways = room[:, : len(before)]
            if group.is_all:
                np.add(before.T[:, :, None], group.steps[:, None], out=ways)
                after += ways.max(axis=0)
            else:
                np.add(before.T[group.out_of][:, :, None], group.steps[:, None], out=ways)
                after[:, group.into] += ways.max(axis=0)
        if self._sparse is not None:
            after[:, self._sparse.into] += (before[:, self._sparse.out_of] + self._sparse.steps).max(axis=1)


def _groups(steps: Scores) -> tuple[list[_Group], _Group | None]:
    """The tags by the tags that they follow: those that follow many, and those that follow few or none.

    The latter become one group, whose `out_of` and `steps` are (few, tags): each tag has a column of its own.
    """
    allowed = steps > FORBIDDEN / 2
    by_origin: dict[bytes, list[int]] = {}
    for tag in range(len(steps)):
        by_origin.setdefault(allowed[:, tag].tobytes(), []).append(tag)
    dense: list[_Group] = []
    few: list[int] = []
    for tags in by_origin.values():
        out_of = np.flatnonzero(allowed[:, tags[0]])
        if len(out_of) * 4 > len(steps):
            chosen = np.ascontiguousarray(steps[out_of][:, tags])
            dense.append(_Group(out_of, np.array(tags), chosen, is_all=chosen.shape == steps.shape))
        else:
            few += tags
    if not few:
        return dense, None
    most = max(1, max(int(allowed[:, tag].sum()) for tag in few))
    nearest = np.argsort(-steps[:, few], axis=0, kind="stable")[:most]  # (most, few)
    return dense, _Group(nearest, np.array(few), np.take_along_axis(steps[:, few], nearest, axis=0))


def _runs(wanted: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The stretches of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
