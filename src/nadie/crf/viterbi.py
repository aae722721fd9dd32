"""The best path through a linear chain, for many sequences at a time.

Sequences are sorted by length, so that at step t the first n of them still run and no padding is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.floating]
Ints = npt.NDArray[np.intp]
FORBIDDEN = -1e4
"""The score of a transition that must not be taken: its probability is 0, and the search does not look at it."""
_ROOM = 1 << 19  # bytes for the sums of one step: what stays in the processor's cache
_SURE = 1e-4


@dataclass(frozen=True)
class _Group:
    """Tags that can be reached from the same tags: `into` of them from `out_of`, with the scores of the transitions."""

    out_of: Ints
    into: Ints
    scores: Scores  # (from, to)
    is_all: bool = False  # whether these are all tags, in their order


class Chain:
    """The scores of the transitions: `between` tags (K, K), `start` into the first (K,), `end` out of the last (K,).

    They are sorted by what can follow what, so that forbidden transitions cost the search nothing.
    """

    def __init__(self, between: Scores, start: Scores | None = None, end: Scores | None = None) -> None:
        self.between = between
        self.start = np.zeros_like(between[0]) if start is None else start
        self.end = np.zeros_like(between[0]) if end is None else end
        self._out_of = np.ascontiguousarray(between, dtype=np.float32)
        self._into = np.ascontiguousarray(self._out_of.T)  # row j: the scores of transitions into tag j
        self._dense, self._sparse = _groups(self._out_of)

    @classmethod
    def of_allowed(cls, steps: npt.NDArray[np.bool_]) -> Chain:
        """A chain that prefers nothing: `steps` (K + 1, K + 1) are as `nadie.tokens.codec.allowed_steps` gives them."""
        scores = np.where(steps, 0.0, FORBIDDEN)
        return cls(scores[:-1, :-1], scores[-1, :-1], scores[:-1, -1])

    def best_paths(self, sequences: Sequence[Scores]) -> list[Ints]:
        """The best tags of each sequence of emissions (T, K)."""
        return self._search([_with_ends(rows, self.start, self.end) for rows in sequences])

    def likely_paths(self, sequences: Sequence[Scores], marginals: Sequence[Scores], outside: int = 0) -> list[Ints]:
        """As `best_paths`, but tags that are all but certainly `outside`, by `marginals` (T, K), are taken as that.

        Between two such tags a stretch does not depend on the rest, and most of a text is no stretch at all. A path
        that went another way would have a probability under 0.0001.
        """
        paths = [np.full(len(rows), outside, dtype=np.intp) for rows in sequences]
        stretches = [
            (i, first, stop)
            for i, known in enumerate(marginals)
            for first, stop in _runs(np.asarray(known[:, outside] < 1.0 - _SURE))
        ]
        parts = []
        for i, first, stop in stretches:
            before = self._out_of[outside] if first else self.start
            after = self._into[outside] if stop < len(sequences[i]) else self.end
            parts.append(_with_ends(sequences[i][first:stop], before, after))
        for (i, first, stop), path in zip(stretches, self._search(parts), strict=True):
            paths[i][first:stop] = path
        return paths

    def _search(self, sequences: Sequence[Scores]) -> list[Ints]:
        """The best paths of sequences that have the scores of a first and of a last tag in them."""
        paths: list[Ints] = [np.zeros(0, dtype=np.intp)] * len(sequences)
        order = longest_first(sequences)
        together = max(1, _ROOM // max((group.scores.nbytes for group in self._dense), default=_ROOM // 64))
        for first in range(0, len(order), together):
            some = order[first : first + together]
            for i, path in zip(some, self._together([sequences[i] for i in some]), strict=True):
                paths[i] = path
        return paths

    def _together(self, sequences: Sequence[Scores]) -> Iterator[Ints]:
        """The paths of sequences sorted by length, the longest first: at each step only those that still run."""
        best, counts = stacked(sequences, np.float32)
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
        return (path[: len(rows), i] for i, rows in enumerate(sequences))

    def _step(self, before: Scores, after: Scores, rooms: Sequence[Scores]) -> None:
        """Add to `after` (N, K) the best way there from `before` (N, K).

        The sums are (from, N, to), as numpy is fastest at finding a maximum over the first axis, and go into `rooms`:
        allocating memory at every step takes as long as the sums.
        """
        for group, room in zip(self._dense, rooms, strict=True):
            ways = room[:, : len(before)]
            if group.is_all:
                np.add(before.T[:, :, None], group.scores[:, None], out=ways)
                after += ways.max(axis=0)
            else:
                np.add(before.T[group.out_of][:, :, None], group.scores[:, None], out=ways)
                after[:, group.into] += ways.max(axis=0)
        if self._sparse is not None:
            after[:, self._sparse.into] += (before[:, self._sparse.out_of] + self._sparse.scores).max(axis=1)


def longest_first(sequences: Sequence[Scores]) -> list[int]:
    """The numbers of the sequences that are not empty."""
    return sorted((i for i, rows in enumerate(sequences) if len(rows)), key=lambda i: -len(sequences[i]))


def stacked(sequences: Sequence[Scores], dtype: npt.DTypeLike) -> tuple[Scores, list[int]]:
    """Sequences (T, K), the longest first, as one array (T, N, K), and how many of them run at each step and after."""
    sizes = np.array([len(rows) for rows in sequences])
    together = np.zeros((sizes[0], len(sequences), sequences[0].shape[1]), dtype=dtype)
    for i, rows in enumerate(sequences):
        together[: len(rows), i] = rows
    running = len(sizes) - np.searchsorted(sizes[::-1], np.arange(sizes[0] + 1), side="right")
    return together, running.tolist()


def _with_ends(scores: Scores, before: Scores, after: Scores) -> Scores:
    """Scores (T, K) with those of what comes before the first tag and after the last added to them."""
    moved = np.array(scores, dtype=np.float32)
    if len(moved):
        moved[0] += before
        moved[-1] += after
    return moved


def _groups(scores: Scores) -> tuple[list[_Group], _Group | None]:
    """The tags by the tags that they follow: those that follow many, and those that follow few or none.

    The latter become one group, whose `out_of` and `scores` are (few, tags): each tag has a column of its own.
    """
    allowed = scores > FORBIDDEN / 2
    by_origin: dict[bytes, list[int]] = {}
    for tag in range(len(scores)):
        by_origin.setdefault(allowed[:, tag].tobytes(), []).append(tag)
    dense: list[_Group] = []
    few: list[int] = []
    for tags in by_origin.values():
        out_of = np.flatnonzero(allowed[:, tags[0]])
        if len(out_of) * 4 > len(scores):
            chosen = np.ascontiguousarray(scores[out_of][:, tags])
            dense.append(_Group(out_of, np.array(tags), chosen, is_all=chosen.shape == scores.shape))
        else:
            few += tags
    if not few:
        return dense, None
    most = max(1, max(int(allowed[:, tag].sum()) for tag in few))
    nearest = np.argsort(-scores[:, few], axis=0, kind="stable")[:most]  # (most, few)
    return dense, _Group(nearest, np.array(few), np.take_along_axis(scores[:, few], nearest, axis=0))


def _runs(wanted: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The stretches of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
