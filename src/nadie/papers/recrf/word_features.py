"""Features of a word that do not depend on its context, and so can be cached by word.

The lexical, orthographic and external-resource features of the paper (section 3.3). Case and accents are separate
features; all others use the folded word, so that `GARCIA`, `garcía` and `García` share most of them.
"""

from __future__ import annotations

import re

from nadie.crf.emissions import PADDING
from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon

NEWLINE = "\u2028"  # the token between two lines; no word can be equal to it

_CLASSES = (
    (re.compile(r"[A-ZÀ-ÖØ-Þ]"), "X"),
    (re.compile(r"[a-zà-öø-ÿ]"), "x"),
    (re.compile(r"[0-9]"), "d"),
)
_RUN = re.compile(r"(.)\1+")
_LONGEST_AFFIX = 4


def window_features(word: str, lexicon: Lexicon) -> list[list[str]]:
    """The features that `word` gives to the centre token, for each of its positions in the window."""
    if word in (NEWLINE, PADDING):
        far = near = full = ["newline" if word else "padding"]
    else:
        far, near = _far_features(word, lexicon), _near_features(word, lexicon)
        full = near + _own_features(word, lexicon)
    window = enumerate((far, near, near, full, near, near, far), -3)
    return [[f"{offset}:{name}" for name in names] for offset, names in window]


def _own_features(word: str, lexicon: Lexicon) -> list[str]:
    """Additional features of the centre token itself."""
    folded = fold(word)
    features = [f"len={min(len(word), 12)}", f"shape={_shape(word)}", f"lemma={fold(lexicon.lemma(word.lower()))}"]
    if word.isalpha():
        features += [f"pre{n}={folded[:n]}" for n in range(1, _LONGEST_AFFIX + 1) if len(folded) > n]
        features += [f"suf{n}={folded[-n:]}" for n in range(1, _LONGEST_AFFIX + 1) if len(folded) > n]
        features += [f"rare={lexicon.rarity(word)}", f"rarelow={lexicon.rarity(word.lower())}"]
        features.append("ends_s" if folded.endswith("s") else "ends_other")
        if word != folded:
            features.append(f"cased={word}")
    elif word.isdecimal():
        features += [f"number={_magnitude(word)}", f"pre2={word[:2]}"]
    return features


def _near_features(word: str, lexicon: Lexicon) -> list[str]:
    """Features of the centre token and of words one or two positions away."""
    folded = fold(word)
    features = [f"case={_case(word)}"]
    features.append(f"w={folded}" if not word.isdigit() or len(word) < 3 else f"digits={len(word)}")
    features += [f"list={kind}" for kind in lexicon.kinds(folded)]
    if word.isalpha():
        features += [f"suffix={folded[-3:]}"]
        for kind, form in (("cl", word), ("clc", word.capitalize()), ("cll", word.lower())):
            if (cluster := lexicon.cluster(form)) is not None:
                features.append(f"{kind}={cluster}")
    return features


def _far_features(word: str, lexicon: Lexicon) -> list[str]:
    """Features of words three positions away."""
    features = [f"w={fold(word)}" if not word.isdigit() else f"digits={min(len(word), 9)}"]
    features += [f"list={kind}" for kind in lexicon.kinds(fold(word))]
    return features


def _case(word: str) -> str:
    if word.isdigit():
        return "digits"
    if not word[0].isalpha():
        return "punct"
    if len(word) == 1:
        return "initial" if word.isupper() else "letter"
    if word.isupper():
        return "upper"
    if word.islower():
        return "lower"
    return "capital" if word.istitle() else "mixed"


def _shape(word: str) -> str:
    for pattern, sign in _CLASSES:
        word = pattern.sub(sign, word)
    return _RUN.sub(r"\1+", word) if len(word) > 4 else word


def _magnitude(digits: str) -> str:
    """What a number may be according to its size: a day, a month, an age, a year, a postcode, an identifier."""
    if len(digits) > 5:
        return f"long{min(len(digits), 12)}"
    value = int(digits)
    if len(digits) == 5:
        return "postcode" if value < 53_000 else "five"
    if len(digits) == 4:
        return "year" if 1900 <= value <= 2099 else "four"
    for limit in (12, 31, 59, 99, 120):
        if value <= limit:
            return f"to{limit}"
    return "three"
