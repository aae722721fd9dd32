"""Emissions: the sum of the weights of each token's features. The part that depends only on the word is cached.

Summing here instead of in CRFsuite's tagger makes it possible to sum the features of a word, at each position of the
window, only once: a word that was seen before costs one table lookup.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain, repeat
from threading import Lock

import numpy as np
import numpy.typing as npt

from nadie.crf.weights import Floats, Weights

WindowFeatures = Callable[[str], Sequence[Sequence[str]]]
"""A word → the features that it gives to the centre token of the window, for each window position, from left to right.
"""
PADDING = ""  # before the first and after the last word
_ROOM = 32 << 20  # bytes for the cached rows of words

Ints = npt.NDArray[np.intp]


class Emissions:
    """The emissions of words and of other features under given weights. Thread-safe.

    The table of words is append-only: when it must grow or be emptied, a new table replaces it. So the rows that a
    thread obtained under the lock do not change afterwards.
    """

    def __init__(self, weights: Weights, features: WindowFeatures) -> None:
        self.weights = weights
        self._features = features
        self._places = len(features(PADDING))
        self._lock = Lock()
        self._ids: dict[str, int] = {}
        self._table: Floats = np.zeros((0, self._places, len(weights.tags)), dtype=np.float32)
        self._forget()

    def of_words(self, words: Sequence[str]) -> Floats:
        """(T, K): the summed weights of the words in the window around each word."""
        with self._lock:
            ids, table = self._ids_of(words), self._table
        padded = np.pad(ids, self._places // 2)
        total: Floats = np.zeros((len(words), len(self.weights.tags)), dtype=np.float32)
        for place in range(self._places):
            total += table[padded[place : place + len(words)], place]
        return total

    def of_features(self, features: Sequence[Sequence[str]]) -> Floats:
        """(T, K): the summed weights of each token's features, added in the order of their positions."""
        rows = self.weights.rows
        counts = np.fromiter(map(len, features), dtype=np.intp, count=len(features))
        places = np.full((len(features), int(counts.max(initial=0))), len(rows) - 1, dtype=np.intp)
        places[np.arange(places.shape[1]) < counts[:, None]] = self._rows_of(features)
        total: Floats = np.zeros((len(features), rows.shape[1]), dtype=np.float32)
        for column in places.T:
            total += rows.take(column, axis=0)
        return total

    def _rows_of(self, features: Sequence[Sequence[str]]) -> Ints:
        """The row numbers of all features, concatenated."""
        nothing = len(self.weights.rows) - 1
        found = map(self.weights.index.get, chain.from_iterable(features), repeat(nothing))
        return np.fromiter(found, dtype=np.intp, count=sum(map(len, features)))

    def _ids_of(self, words: Sequence[str]) -> Ints:
        new = [word for word in dict.fromkeys(words) if word not in self._ids]
        if new and (len(self._ids) + len(new)) * self._table[0].nbytes > _ROOM:
            self._forget()
            new = list(dict.fromkeys(words))
        if new:
            self._learn(new)
        return np.fromiter((self._ids[word] for word in words), dtype=np.intp, count=len(words))

    def _learn(self, words: Sequence[str]) -> None:
        first, stop = len(self._ids), len(self._ids) + len(words)
        if stop > len(self._table):
            grown = np.zeros((max(2 * len(self._table), stop), *self._table.shape[1:]), dtype=np.float32)
            grown[:first] = self._table[:first]
            self._table = grown
        features = [("", *names) for word in words for names in self._features(word)]  # words * places, none empty
        starts = np.cumsum([0, *map(len, features[:-1])])
        summed = np.add.reduceat(self.weights.rows[self._rows_of(features)], starts, axis=0)
        self._table[first:stop] = summed.reshape(len(words), self._places, -1)
        self._ids.update(zip(words, range(first, stop), strict=True))

    def _forget(self) -> None:
        self._ids, self._table = {}, np.zeros((1024, *self._table.shape[1:]), dtype=np.float32)
        self._learn([PADDING])


def windowed(
    words: Sequence[str], features: WindowFeatures, cache: dict[str, Sequence[Sequence[str]]]
) -> list[list[str]]:
    """Every feature of each word that comes from the words in its window, as strings for CRFsuite."""
    for word in (PADDING, *words):
        if word not in cache:
            cache[word] = features(word)
    reach = len(cache[PADDING]) // 2
    around = [cache[word] for word in (*[PADDING] * reach, *words, *[PADDING] * reach)]
    return [[name for place in range(2 * reach + 1) for name in around[i + place][place]] for i in range(len(words))]
