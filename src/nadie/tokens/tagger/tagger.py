"""The part-of-speech tagger: a linear chain over what the words around a word say."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.resources import files

import numpy as np

from nadie.crf.emissions import Emissions
from nadie.crf.viterbi import Chain
from nadie.crf.weights import Weights
from nadie.lexicon import Lexicon
from nadie.tokens.tagger.features import window_features

_SIGNS = ("PUNCT", "SYM")
_IMPOSSIBLE = -100.0


class Tagger:
    """Universal part-of-speech tags for Spanish words, with past participles apart (`VERB:part`, `AUX:part`).

    Words are expected as `nadie.tokens.tokenizer` cuts them, one sequence a sentence. A sequence is tagged the same
    whatever stands beside it. Loading takes a moment: use `Tagger.shared()`. Threads may share one.
    """

    def __init__(self, weights: Weights) -> None:
        self.weights = weights
        self._emissions = Emissions(weights, partial(window_features, lexicon=Lexicon.shared()))
        self._chain = Chain(weights.transitions)
        banned = [  # for signs, and for words and numbers: what they cannot be, whatever stands around them
            [tag not in _SIGNS for tag in weights.tags],
            [tag == "PUNCT" for tag in weights.tags],
        ]
        self._banned = np.where(banned, np.float32(_IMPOSSIBLE), np.float32(0.0))

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
        emissions = [
            self._emissions.of_words(words) + self._banned[[int(word[:1].isalnum()) for word in words]]
            for words in sentences
        ]
        return [[self.tags[tag] for tag in path.tolist()] for path in self._chain.best_paths(emissions)]
