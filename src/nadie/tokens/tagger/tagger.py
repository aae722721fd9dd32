"""The part-of-speech tagger: a linear chain over features of the words around each word.

Every feature depends on one word and on its place in the window, never on two words at once: so the weights of a word
can be summed once and kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial
from importlib.resources import files

import numpy as np

from nadie.crf.emissions import PADDING, Emissions
from nadie.crf.viterbi import Chain
from nadie.crf.weights import Weights
from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon

_SIGNS = ("PUNCT", "SYM")
_IMPOSSIBLE = -100.0
_REACH = 2
_LONGEST_SUFFIX = 6
_LONGEST_PREFIX = 4
_LONGEST_WORD = 40  # of a longer one only the two ends are looked at
_NAMES = frozenset({"first_name", "first_name_m", "first_name_f", "surname", "town", "country", "province", "month"})


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


def window_features(word: str, lexicon: Lexicon) -> list[list[str]]:
    """The features that `word` gives to the word in the middle of the window, from each place of it."""
    near = _near_features(word, lexicon)
    window = [[f"{offset}:{name}" for name in near] for offset in range(-_REACH, _REACH + 1)]
    window[_REACH] += [f"own:{name}" for name in _own_features(word, lexicon)]
    return window


def _near_features(word: str, lexicon: Lexicon) -> list[str]:
    """What matters of a word at any place of the window, with a weight of its own at each."""
    if word == PADDING:
        return ["padding"]
    if not word[0].isalpha():
        return [f"digits={min(len(word), 4)}"] if word[0].isdigit() else [f"w={word}"]
    word = _shortened(word)
    lowered = word.lower()
    features = [f"w={lowered}", f"s={lowered[-3:]}", f"case={_case(word)}"]
    for kind, form in (("c", word), ("C", word.capitalize()), ("l", lowered)):
        if (cluster := lexicon.cluster(form)) is not None:
            features.append(f"{kind}={cluster}")
    return features


def _own_features(word: str, lexicon: Lexicon) -> list[str]:
    """Further features of a word, for its own tag alone."""
    if not word[:1].isalpha():
        return []
    word = _shortened(word)
    lowered, folded = word.lower(), fold(word)
    features = [f"s{n}={lowered[-n:]}" for n in range(1, _LONGEST_SUFFIX + 1) if len(word) > n]
    features += [f"p{n}={lowered[:n]}" for n in range(1, _LONGEST_PREFIX + 1) if len(word) > n]
    features += [f"f={folded}", f"lemma={lexicon.lemma(lowered)}", f"r={lexicon.rarity(lowered)}"]
    features += [f"list={kind}" for kind in lexicon.kinds(folded) if kind in _NAMES]
    features.append(f"len={min(len(word), 8)}")
    if lowered != word:
        features += [f"R={lexicon.rarity(word)}", f"known={lexicon.cluster(lowered) is not None}"]
    return features


def _shortened(word: str) -> str:
    return word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD // 2] + word[-_LONGEST_WORD // 2 :]


def _case(word: str) -> str:
    if word.islower():
        return "x"
    if word.isupper():
        return "X" if len(word) == 1 else "XX"
    return "Xx" if word.istitle() else "xX"
