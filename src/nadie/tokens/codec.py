"""Spans ↔ one tag per token, in BIO or BIOES, with an exact way back; and token probabilities → spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nadie.crf.viterbi import Chain
from nadie.document import Span
from nadie.tokens.tokenizer import Token

Scheme = Literal["BIO", "BIOES"]
OUTSIDE = "O"
_TINY = 1e-9

Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.intp]


class Chunk(NamedTuple):
    """Tokens `first` up to, not including, `stop` are one span of type `label`."""

    first: int
    stop: int
    label: str


def encode(tokens: Sequence[Token], spans: Iterable[Span], scheme: Scheme = "BIO") -> list[str]:
    """A tag for each token. A span that cuts through a token takes the whole token; of two that overlap, the first."""
    tags = [OUTSIDE] * len(tokens)
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    taken = 0
    for span in sorted(spans):
        first = max(bisect_right(ends, span.start), taken)
        stop = bisect_left(starts, span.end)
        if first >= stop:
            continue
        tags[first:stop] = _chunk_tags(span.label, stop - first, scheme)
        taken = stop
    return tags


def decode(tags: Sequence[str]) -> list[Chunk]:
    """The chunks of the tags, in either scheme; an ill-formed sequence gives as many as possible."""
    chunks: list[Chunk] = []
    first: int | None = None
    label = ""
    for i, tag in enumerate([*tags, OUTSIDE]):
        prefix, _, name = tag.partition("-")
        if first is not None and (prefix in ("O", "B", "S") or name != label):
            chunks.append(Chunk(first, i, label))
            first = None
        if prefix != "O" and first is None:
            first, label = i, name
        if first is not None and prefix in ("E", "S"):
            chunks.append(Chunk(first, i + 1, label))
            first = None
    return chunks


def tag_set(labels: Iterable[str], scheme: Scheme = "BIO") -> list[str]:
    """Every tag of the scheme, `O` first, in a fixed order."""
    return [OUTSIDE, *(f"{prefix}-{label}" for label in sorted(labels) for prefix in scheme if prefix != "O")]


def allowed_steps(tags: Sequence[str]) -> npt.NDArray[np.bool_]:
    """(K + 1, K + 1): whether tag j may follow tag i; last row: may begin; last column: may end a sequence."""
    closed = any(tag[:2] in ("E-", "S-") for tag in tags)
    steps = np.zeros((len(tags) + 1, len(tags) + 1), dtype=np.bool_)
    for i, before in enumerate([*tags, OUTSIDE]):
        opened = before[:2] in ("B-", "I-")
        for j, after in enumerate([*tags, OUTSIDE]):
            inside = after[:2] in ("I-", "E-")
            steps[i, j] = opened and before[2:] == after[2:] if inside else not (opened and closed)
    return steps


class ProbabilityDecoder:
    """Takes the likeliest tag of each token. Where these do not make spans, because an inside tag follows nothing, the
    likeliest well-formed tags of the whole stretch are searched for; a stretch ends where `O` is `outside` likely."""

    def __init__(self, tags: Sequence[str], outside: float = 0.9) -> None:
        if tags[0] != OUTSIDE:
            raise ValueError("the first tag must be O")
        self._tags = tuple(tags)
        self._outside = outside
        self._steps = allowed_steps(tags)
        self._allowed = self._steps[:-1, :-1]
        self._labels = [tag[2:] for tag in tags]
        self._begins = np.array([tag[:2] == "B-" for tag in tags])
        self._other = np.array([self._pair(tag) for tag in tags])
        self._inside = np.array([n for n, tag in enumerate(tags) if tag[:2] == "I-"])
        self._begin = self._other[self._inside]

    @cached_property
    def _chain(self) -> Chain:
        return Chain.of_allowed(self._steps)

    def _pair(self, tag: str) -> int:
        """The number of the tag with the same label and the other prefix; of `O`, its own."""
        other = {"B": "I", "I": "B"}.get(tag[0], "") + tag[1:]
        return self._tags.index(other) if other in self._tags else self._tags.index(tag)

    def chunks(self, probabilities: Floats, firsts: Sequence[int] | Ints = ()) -> list[tuple[Chunk, float]]:
        """The chunks in one or more texts, each with the probability of its label at its least probable token.

        Texts begin at the tokens `firsts`.
        """
        path = self._path(probabilities, firsts)
        inside = np.flatnonzero(path)
        tags = path[inside]
        begins = np.flatnonzero(self._begins[tags])
        if not len(begins):
            return []
        of_label = probabilities[inside, tags] + probabilities[inside, self._other[tags]]
        least = np.minimum.reduceat(of_label, begins)
        stops = inside[np.append(begins[1:], len(inside)) - 1] + 1
        labels = [self._labels[tag] for tag in tags[begins].tolist()]
        chunks = map(Chunk, inside[begins].tolist(), stops.tolist(), labels)
        return list(zip(chunks, np.minimum(least, 1.0).tolist(), strict=True))

    def decodable(self, probabilities: Floats) -> int:
        """How many tokens from the start can be decoded whatever follows them: up to the last that is clearly `O`."""
        outside = np.flatnonzero(probabilities[:, 0] >= self._outside)
        return int(outside[-1]) + 1 if len(outside) else 0

    def _path(self, probabilities: Floats, firsts: Sequence[int] | Ints) -> Ints:
        """The tag of each token; an inside tag follows a tag of the same label."""
        path: Ints = probabilities.argmax(axis=1)
        begins = np.zeros(len(path), dtype=np.bool_)
        begins[[0, *(first for first in firsts if 0 < first < len(path))][: len(path)]] = True
        before = np.where(begins, 0, np.roll(path, 1))
        wrong = np.flatnonzero(~self._allowed[before, path])
        if not len(wrong):
            return path
        stretches = _with_some(wrong, _runs(probabilities[:, 0] < self._outside, begins))
        for first, stop in stretches.tolist():
            begins[first:stop] |= self._apart(probabilities[first:stop])
        stretches = _with_some(wrong, _runs(probabilities[:, 0] < self._outside, begins)).tolist()
        scores = [np.log(np.maximum(probabilities[first:stop], _TINY)) for first, stop in stretches]
        for (first, stop), better in zip(stretches, self._chain.best_paths(scores), strict=True):
            path[first:stop] = better
        return path

    def _apart(self, probabilities: Floats) -> npt.NDArray[np.bool_]:
        """Whether each token of a stretch surely has no inside tag in its best path, which can then be searched for
        from there on alone: any path with one is beaten by that with the tag of its beginning there, or by that with
        the likeliest other tag there and the beginning at the next token.
        """
        rows = np.maximum(probabilities, _TINY)
        begin, inside = rows.take(self._begin, axis=1), rows.take(self._inside, axis=1)
        otherwise = np.maximum(rows[:, 0], begin.max(axis=1))[:, None]
        moved = np.ones_like(begin)
        np.divide(begin[1:], inside[1:], out=moved[:-1])
        is_beaten = (begin > inside) | (otherwise * np.minimum(moved, 1.0) > inside)
        apart: npt.NDArray[np.bool_] = is_beaten.all(axis=1)
        return apart


def _chunk_tags(label: str, length: int, scheme: Scheme) -> list[str]:
    if scheme == "BIO":
        return [f"B-{label}"] + [f"I-{label}"] * (length - 1)
    if length == 1:
        return [f"S-{label}"]
    return [f"B-{label}"] + [f"I-{label}"] * (length - 2) + [f"E-{label}"]


def _with_some(places: Ints, ranges: Ints) -> Ints:
    """The ranges in which at least one of the places is."""
    before = np.searchsorted(places, ranges)  # the number of places before each end
    return ranges[before[:, 0] < before[:, 1]]


def _runs(wanted: npt.NDArray[np.bool_], begins: npt.NDArray[np.bool_]) -> Ints:
    """(ranges, 2): the ranges of consecutive true values; a range also ends where a text begins."""
    places = np.flatnonzero(wanted)
    is_first = begins[places] | (np.diff(places, prepend=-2) > 1)
    firsts = np.flatnonzero(is_first)
    lasts = np.append(firsts[1:], len(places)) - 1
    return np.stack([places[firsts], places[lasts] + 1], axis=1)
