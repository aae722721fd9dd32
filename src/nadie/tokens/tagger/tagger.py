"""The part-of-speech tagger: a linear chain over features that are cached by word."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files
from threading import Lock

import numpy as np
import numpy.typing as npt

from nadie.spanish.lexicon import Lexicon
from nadie.tokens.chain import Chain
from nadie.tokens.tagger.features import OFFSETS, PADDING, WINDOW, near_features, own_features
from nadie.tokens.tagger.weights import Floats, Weights

_MOST_CACHED = 50_000
_SIGNS = ("PUNCT", "SYM")
_IMPOSSIBLE = -100.0

Ints = npt.NDArray[np.int64]


class Tagger:
    """Universal part-of-speech tags for Spanish words, with past participles apart (`VERB:part`, `AUX:part`).

    Words are expected as `nadie.tokens.tokenizer` cuts them, one sequence a sentence. A sequence is tagged the same
    whatever stands beside it. Loading takes a moment: use `Tagger.shared()`.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._lexicon = Lexicon.shared()
        self._banned = [  # for signs, and for words and numbers: what they cannot be, whatever stands around them
            np.array([tag not in _SIGNS for tag in weights.tags]),
            np.array([tag == "PUNCT" for tag in weights.tags]),
        ]
        self._chain = Chain(weights.steps)
        self._lock = Lock()
        self._ids: dict[str, int] = {}
        self._table: Floats = np.zeros((0, len(OFFSETS), len(weights.tags)), dtype=np.float32)
        self._forget()

    @staticmethod
    @lru_cache(maxsize=1)
    def shared() -> Tagger:
        """The tagger that ships with nadie."""
        return Tagger(Weights.parse((files("nadie.tokens.tagger") / "data" / "weights.npz").read_bytes()))

    @property
    def tags(self) -> tuple[str, ...]:
        return self.weights.tags

    def tag(self, words: Sequence[str]) -> list[str]:
        """The tag of each word of one sentence."""
        return self.tag_all([words])[0]

    def tag_all(self, sentences: Sequence[Sequence[str]]) -> list[list[str]]:
        """The tags of many sentences: much faster than one by one."""
        tags = self.weights.tags
        paths = self._chain.best_paths([self._emissions(sentence) for sentence in sentences])
        return [[tags[tag] for tag in path.tolist()] for path in paths]

    def _emissions(self, words: Sequence[str]) -> Floats:
        """(T, K): what the words in the window say about the tag of each."""
        with self._lock:
            ids, table = self._word_ids(words), self._table
        padded = np.concatenate([np.zeros(WINDOW, np.int64), ids, np.zeros(WINDOW, np.int64)])
        total: Floats = table[ids, WINDOW]
        for place in range(len(OFFSETS)):
            if place != WINDOW:
                total += table[padded[place : place + len(ids)], place]
        return total

    def _word_ids(self, words: Sequence[str]) -> Ints:
        ids = self._ids
        new = [word for word in dict.fromkeys(words) if word not in ids]
        if new:
            if len(ids) + len(new) > max(_MOST_CACHED, len(new) + 1):
                self._forget()
                ids, new = self._ids, list(dict.fromkeys(words))
            self._learn(new)
        return np.fromiter((ids[word] for word in words), dtype=np.int64, count=len(words))

    def _learn(self, words: Sequence[str]) -> None:
        first = len(self._ids)
        if first + len(words) > len(self._table):
            grown = np.zeros((max(2 * len(self._table), first + len(words)), *self._table.shape[1:]), np.float32)
            grown[: len(self._table)] = self._table
            self._table = grown
        weights, lexicon = self.weights, self._lexicon
        for i, word in enumerate(words, first):
            self._ids[word] = i
            near = [weights.near_index.get(name, -1) for name in near_features(word, lexicon)]
            own = [weights.own_index.get(name, -1) for name in own_features(word, lexicon)]
            self._table[i] = weights.near[[row for row in near if row >= 0]].sum(axis=0)
            self._table[i, WINDOW] += weights.own[[row for row in own if row >= 0]].sum(axis=0)
            self._table[i, WINDOW, self._banned[word[:1].isalnum()]] += _IMPOSSIBLE

    def _forget(self) -> None:
        self._ids = {}
        self._table = np.zeros((1024, len(OFFSETS), len(self.weights.tags)), dtype=np.float32)
        self._learn([PADDING])
