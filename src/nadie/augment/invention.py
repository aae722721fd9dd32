"""Words that nobody has listed, made letter by letter of those that are.

They can be known by their place in the sentence only, which is what a model should learn.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from random import Random

from nadie.augment.split import Split, choose, name_split
from nadie.augment.vocabulary import lines, pick, vocabulary

_ORDER = 3
_START = "^" * _ORDER
_END = "$"
_LONGEST = 14
_TRIES = 20


def invented_word(kind: str, split: Split, rng: Random) -> str:
    """A word like those of its kind (`surname`, `town`, `drug`, `brand`, `organism`), on that side of the split."""
    chains = _chains(kind, split)
    for _ in range(_TRIES):
        word = _START
        while word[-1] != _END and len(word) < _LONGEST + _ORDER:
            word += rng.choice(chains[word[-_ORDER:]])
        if word[-1] != _END:
            continue
        word = word[_ORDER:-1].capitalize()
        if len(word) > 3 and name_split(word) is split:
            return word
    return pick(tuple(_words(kind, split)), rng)


@cache
def _chains(kind: str, split: Split) -> dict[str, str]:
    """Which letters follow three others, each as often as it does."""
    followers: dict[str, list[str]] = defaultdict(list)
    for word in _words(kind, split):
        padded = _START + word.lower() + _END
        for i in range(_ORDER, len(padded)):
            followers[padded[i - _ORDER : i]].append(padded[i])
    return {context: "".join(letters) for context, letters in followers.items()}


def _words(kind: str, split: Split) -> Iterable[str]:
    """The single words that the inventions of a kind resemble."""
    known = vocabulary(split)
    if kind == "surname":
        names = (name for group in known.surnames.values() for name in group)
    elif kind == "town":
        names = (town for regions in known.regions.values() for region in regions for town in region.towns)
    else:
        names = (name for name in choose(lines(f"{kind}s.txt"), split))
    return tuple(name for name in names if name.isalpha())
