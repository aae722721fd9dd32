"""Feature weights and the emissions they give, with everything that depends on a word alone cached by word.

The weights are those that CRFsuite learned. Summing them here instead of in CRFsuite's tagger lets the features of a
word, at each place of the window, be summed once and for all: a word met before costs one row of a table.
"""

from __future__ import annotations

import gzip
import io
from collections.abc import Mapping, Sequence
from itertools import chain, repeat

import numpy as np
import numpy.typing as npt

from nadie.detectors.recrf.sequence import Sequence as NoteSequence
from nadie.detectors.recrf.word_features import PADDING, far_features, full_features, near_features
from nadie.spanish.lexicon import Lexicon

WINDOW = 3
_OFFSETS = tuple(range(-WINDOW, WINDOW + 1))
_MOST_CACHED = 20_000
_EPSILON = 1e-3

Floats = npt.NDArray[np.float32]


def window_features(word: str, offset: int, lexicon: Lexicon) -> list[str]:
    """The features that `word` gives to the token from which it stands `offset` places away."""
    if offset == 0:
        return [f"0:{name}" for name in full_features(word, lexicon)]
    names = near_features(word, lexicon) if abs(offset) < WINDOW else far_features(word, lexicon)
    return [f"{offset}:{name}" for name in names]


class Weights:
    """The learned weights: a row for each feature, a column for each tag, and the transitions."""

    def __init__(self, tags: Sequence[str], names: Sequence[str], rows: Floats, transitions: Floats) -> None:
        self.tags = tuple(tags)
        self.transitions = transitions
        self.names = tuple(names)
        self.index = {name: i for i, name in enumerate(names)}
        self.rows = np.vstack([rows, np.zeros((1, len(tags)), dtype=np.float32)])  # the last row is for padding

    @classmethod
    def from_crfsuite(
        cls, states: Mapping[tuple[str, str], float], steps: Mapping[tuple[str, str], float], tags: Sequence[str]
    ) -> Weights:
        """From what CRFsuite tells of its model; weights next to nothing are dropped."""
        column = {tag: i for i, tag in enumerate(tags)}
        names = sorted({name for (name, _), weight in states.items() if abs(weight) > _EPSILON})
        index = {name: i for i, name in enumerate(names)}
        rows = np.zeros((len(names), len(tags)), dtype=np.float32)
        for (name, tag), weight in states.items():
            if name in index:
                rows[index[name], column[tag]] = weight
        transitions = np.zeros((len(tags), len(tags)), dtype=np.float32)
        for (before, after), weight in steps.items():
            transitions[column[before], column[after]] = weight
        return cls(tags, names, rows, transitions)

    def dump(self) -> dict[str, bytes]:
        """Sparse and in half precision: what is zero is not stored."""
        rows = self.rows[:-1]
        where = np.nonzero(np.abs(rows) > _EPSILON)
        buffer = io.BytesIO()
        np.savez_compressed(
            buffer,
            counts=np.bincount(where[0], minlength=len(rows)).astype(np.uint16),
            columns=where[1].astype(np.uint8),
            values=rows[where].astype(np.float16),
            transitions=self.transitions,
        )
        names = gzip.compress("\n".join(self.names).encode(), mtime=0)
        return {"features.txt.gz": names, "weights.npz": buffer.getvalue()}

    @classmethod
    def parse(cls, tags: Sequence[str], names: bytes, arrays: bytes) -> Weights:
        with np.load(io.BytesIO(arrays), allow_pickle=False) as stored:
            counts, columns, values = stored["counts"], stored["columns"], stored["values"]
            transitions = stored["transitions"]
        rows = np.zeros((len(counts), len(tags)), dtype=np.float32)
        rows[np.repeat(np.arange(len(counts)), counts), columns] = values
        return cls(tags, gzip.decompress(names).decode().split("\n"), rows, transitions)


class Emissions:
    """Emissions of notes under given weights."""

    def __init__(self, weights: Weights, lexicon: Lexicon) -> None:
        self.weights = weights
        self.lexicon = lexicon
        self._ids: dict[str, int] = {}
        self._table: Floats = np.zeros((0, len(_OFFSETS), len(weights.tags)), dtype=np.float32)
        self._forget()

    def of(self, note: NoteSequence, context: Sequence[Sequence[str]]) -> Floats:
        """(T, K) for a note and the context features of its tokens."""
        ids = self._word_ids(note.words)
        padded = np.concatenate([np.zeros(WINDOW, np.intp), ids, np.zeros(WINDOW, np.intp)])
        count = len(ids)
        total = np.zeros((count, len(self.weights.tags)), dtype=np.float32)
        for i in range(len(_OFFSETS)):
            total += self._table[padded[i : i + count], i]
        return total + self._of_context(context)

    def _of_context(self, context: Sequence[Sequence[str]]) -> Floats:
        """The rows of each token's features summed, the first features of all tokens first, then the second ..."""
        rows = self.weights.rows
        counts = np.fromiter(map(len, context), dtype=np.intp, count=len(context))
        found = map(self.weights.index.get, chain.from_iterable(context), repeat(len(rows) - 1))  # or the row of zeros
        places = np.full((len(context), int(counts.max(initial=0))), len(rows) - 1, dtype=np.intp)
        places[np.arange(places.shape[1]) < counts[:, None]] = np.fromiter(
            found, dtype=np.intp, count=int(counts.sum())
        )
        summed: Floats = np.zeros((len(context), rows.shape[1]), dtype=np.float32)
        for column in places.T:
            summed += rows.take(column, axis=0)
        return summed

    def _word_ids(self, words: Sequence[str]) -> npt.NDArray[np.intp]:
        new = [word for word in dict.fromkeys(words) if word not in self._ids]
        if len(self._ids) + len(new) > max(_MOST_CACHED, len(new) + 1):
            self._forget()
            new = list(dict.fromkeys(words))
        if new:
            self._learn(new)
        return np.fromiter((self._ids[word] for word in words), dtype=np.intp, count=len(words))

    def _learn(self, words: Sequence[str]) -> None:
        first = len(self._ids)
        if first + len(words) > len(self._table):
            size = max(2 * len(self._table), first + len(words))
            grown = np.zeros((size, *self._table.shape[1:]), dtype=np.float32)
            grown[: len(self._table)] = self._table
            self._table = grown
        for i, word in enumerate(words):
            self._ids[word] = first + i
            for place, offset in enumerate(_OFFSETS):
                names = window_features(word, offset, self.lexicon)
                rows = [self.weights.index[name] for name in names if name in self.weights.index]
                self._table[first + i, place] = self.weights.rows[rows].sum(axis=0)

    def _forget(self) -> None:
        self._ids = {}
        self._table = np.zeros((1024, len(_OFFSETS), len(self.weights.tags)), dtype=np.float32)
        self._learn([PADDING])
