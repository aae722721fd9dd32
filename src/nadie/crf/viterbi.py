"""The best path through a linear chain, for many sequences at a time.

Sequences are sorted by length, so that at step t only the first n are still running and no padding is computed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Scores = npt.NDArray[np.floating]
Ints = npt.NDArray[np.intp]
FORBIDDEN = -1e4
"""The score of a forbidden transition: its probability is 0, and the search skips it."""
_ROOM = 1 << 19  # bytes for the sums of one step: they should fit in the processor's cache
_SURE = 1e-4


@dataclass(frozen=True)
class _Group:
    """Tags that can follow the same tags: transitions from `out_of` to `into`, with their scores."""

    out_of: Ints
    into: Ints
    scores: Scores  # (from, to)
    is_all: bool = False  # whether the group has all tags, in order
    is_even: bool = False  # whether all scores are the same: then the best transition is that from the best tag


class Chain:
    """The scores of the transitions: `between` tags (K, K), `start` into the first (K,), `end` out of the last (K,).

    Tags are grouped by the tags they can follow, so that forbidden transitions take no time in the search.
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
        """A chain without preferences: `steps` (K + 1, K + 1) is the output of `nadie.tokens.codec.allowed_steps`."""
        scores = np.where(steps, 0.0, FORBIDDEN)
        return cls(scores[:-1, :-1], scores[-1, :-1], scores[:-1, -1])

    def best_paths(self, sequences: Sequence[Scores]) -> list[Ints]:
        """The best tags of each sequence of emissions (T, K)."""
        return self._search([_with_ends(rows, self.start, self.end) for rows in sequences])

    def likely_paths(self, sequences: Sequence[Scores], marginals: Sequence[Scores], outside: int = 0) -> list[Ints]:
        """Like `best_paths`, but tokens that are almost certainly `outside`, by `marginals` (T, K), get that tag.

        The tokens between two such tags can be decoded independently of the rest, and most of a text needs no decoding
        at all. Any path excluded in this way has a probability below 0.0001.
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
        """The best paths of sequences whose emissions include the start and end scores."""
        paths: list[Ints] = [np.zeros(0, dtype=np.intp)] * len(sequences)
        order = longest_first(sequences)
        together = max(1, _ROOM // max((group.scores.nbytes for group in self._dense), default=_ROOM // 64))
        for first in range(0, len(order), together):
            some = order[first : first + together]
            for i, path in zip(some, self._together([sequences[i] for i in some]), strict=True):
                paths[i] = path
        return paths

    def _together(self, sequences: Sequence[Scores]) -> Iterator[Ints]:
        """The best paths of sequences sorted by length, the longest first; ended sequences are not computed."""
        best, counts = stacked(sequences, np.float32)
        shapes = [(0, 0, 0) if g.is_even else (len(g.out_of), len(sequences), len(g.into)) for g in self._dense]
        rooms = [np.empty(shape, dtype=np.float32) for shape in shapes]
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
        """Add to `after` (N, K) the score of the best transition from `before` (N, K).

        The sums are (from, N, to), because numpy finds a maximum fastest over the first axis. They are written into the
        buffers `rooms`, because allocating memory at every step would take as long as the sums.
        """
        for group, room in zip(self._dense, rooms, strict=True):
            if group.is_even:
                ways = before if len(group.out_of) == before.shape[1] else before[:, group.out_of]
                after[:, group.into] += np.maximum.reduce(ways, axis=1, keepdims=True) + group.scores[0, 0]
                continue
            ways = room[:, : len(before)]
            if group.is_all:
                np.add(before.T[:, :, None], group.scores[:, None], out=ways)
                after += ways.max(axis=0)
            else:
                np.add(before.T[group.out_of][:, :, None], group.scores[:, None], out=ways)
                after[:, group.into] += ways.max(axis=0)
        if self._sparse is not None:
            after[:, self._sparse.into] += np.maximum.reduce(
                before[:, self._sparse.out_of] + self._sparse.scores, axis=1
            )


def longest_first(sequences: Sequence[Scores]) -> list[int]:
    """The indices of the sequences that are not empty, the longest first."""
    return sorted((i for i, rows in enumerate(sequences) if len(rows)), key=lambda i: -len(sequences[i]))


def stacked(sequences: Sequence[Scores], dtype: npt.DTypeLike) -> tuple[Scores, list[int]]:
    """Sequences (T, K), the longest first, as one array (T, N, K), and the number of sequences that reach each step."""
    sizes = np.array([len(rows) for rows in sequences])
    together = np.zeros((sizes[0], len(sequences), sequences[0].shape[1]), dtype=dtype)
    for i, rows in enumerate(sequences):
        together[: len(rows), i] = rows
    running = len(sizes) - np.searchsorted(sizes[::-1], np.arange(sizes[0] + 1), side="right")
    return together, running.tolist()


def _with_ends(scores: Scores, before: Scores, after: Scores) -> Scores:
    """Scores (T, K) with the scores of the start and the end added to the first and last row."""
    moved = np.array(scores, dtype=np.float32)
    if len(moved):
        moved[0] += before
        moved[-1] += after
    return moved


def _groups(scores: Scores) -> tuple[list[_Group], _Group | None]:
    """The tags grouped by the tags that they can follow: groups of tags that follow many, and the tags that follow few.

    The latter form one group, whose `out_of` and `scores` are (few, tags), with one column for each tag.
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
            is_even = bool((chosen == chosen[0, 0]).all())
            dense.append(_Group(out_of, np.array(tags), chosen, chosen.shape == scores.shape, is_even))
        else:
            few += tags
    if not few:
        return dense, None
    most = max(1, max(int(allowed[:, tag].sum()) for tag in few))
    nearest = np.argsort(-scores[:, few], axis=0, kind="stable")[:most]  # (most, few)
    return dense, _Group(nearest, np.array(few), np.take_along_axis(scores[:, few], nearest, axis=0))


def _runs(wanted: npt.NDArray[np.bool_]) -> list[tuple[int, int]]:
    """The ranges of consecutive true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], wanted, [False]])))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))
