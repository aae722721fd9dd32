"""What a word says about its part of speech and about that of its neighbours.

Every feature depends on one word and on its place in the window, never on two words at once: so the weights of a word
can be summed once and kept, and a word met before costs one row of a table.
"""

from __future__ import annotations

from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon

PADDING = ""  # stands before the first and after the last word
WINDOW = 2
OFFSETS = tuple(range(-WINDOW, WINDOW + 1))
OWN = "own"
_LONGEST_SUFFIX = 6
_LONGEST_PREFIX = 4
_LONGEST_WORD = 40  # of a longer one only the two ends are looked at
_NAMES = frozenset({"first_name", "first_name_m", "first_name_f", "surname", "town", "country", "province", "month"})


def window_features(word: str, offset: int, lexicon: Lexicon) -> list[str]:
    """The full names of the features that `word` gives to the word from which it stands `offset` places away."""
    near = [f"{offset}:{name}" for name in near_features(word, lexicon)]
    return near if offset else [*near, *(f"{OWN}:{name}" for name in own_features(word, lexicon))]


def near_features(word: str, lexicon: Lexicon) -> list[str]:
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


def own_features(word: str, lexicon: Lexicon) -> list[str]:
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
