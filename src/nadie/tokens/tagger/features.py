"""What a word says about its part of speech and about that of its neighbours.

Every feature depends on one word and on its place in the window, never on two words at once: so the weights of a word
can be summed once and kept, and a word met before costs one row of a table.
"""

from __future__ import annotations

from nadie.crf.emissions import PADDING
from nadie.lexicon import Lexicon, fold

_REACH = 2
_LONGEST_SUFFIX = 6
_LONGEST_PREFIX = 4
_LONGEST_WORD = 40  # of a longer one only the two ends are looked at
_NAMES = frozenset({"first_name", "first_name_m", "first_name_f", "surname", "town", "country", "province", "month"})


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
    """What a word says, besides, about its own tag alone."""
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
