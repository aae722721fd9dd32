"""Invented words and names that are not in any list.

Half of the names in the copies are invented, so that a model learns from the context instead of a list. Words are
generated letter by letter from the statistics of a list; names of places and institutions from patterns of persons,
saints, flowers and towns.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from random import Random

from nadie.augment.split import Split, choose, name_split, split_of
from nadie.augment.vocabulary import InventedWords, lines, pick, pick_name, vocabulary
from nadie.spanish.word_lists import Lists

_FORMS = Lists("name_forms", "nadie.augment")
_ORDER = 3
_START = "^" * _ORDER
_END = "$"
_LONGEST = 14
_TRIES = 20
_SLOT = re.compile(r"\{(\w+)\}")
_NAME_TRIES = 12


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
    """The letters that follow each three letters, with their frequency."""
    followers: dict[str, list[str]] = defaultdict(list)
    for word in _words(kind, split):
        padded = _START + word.lower() + _END
        for i in range(_ORDER, len(padded)):
            followers[padded[i - _ORDER : i]].append(padded[i])
    return {context: "".join(letters) for context, letters in followers.items()}


def _words(kind: str, split: Split) -> Iterable[str]:
    """The words on which those of a kind are modelled."""
    known = vocabulary(split)
    if kind == "surname":
        names = (name for pool in known.surnames.values() for name in pool.values)
    elif kind == "town":
        names = (town for regions in known.regions.values() for region in regions for town in region.towns)
    else:
        names = (name for name in choose(lines(f"{kind}s.txt"), split))
    return tuple(name for name in names if name.isalpha())


def has_forms(kind: str) -> bool:
    return bool(_FORMS.get(kind))


def new_name(kind: str, words: InventedWords, rng: Random, country: str = "ES") -> str:
    """A name of that kind, from the side of the split of `words`."""
    name = ""
    for _ in range(_NAME_TRIES):
        name = _SLOT.sub(lambda match: _word(match[1], words, rng, country), rng.choice(_FORMS[kind]))
        if split_of(name) is words.split:
            break
    return name


def _word(slot: str, words: InventedWords, rng: Random, country: str) -> str:
    if slot == "n":
        return str(rng.randint(1, 60))
    if slot == "town":
        regions = words.regions.get(country) or words.regions["ES"]
        return pick(regions[int(rng.random() * len(regions))].towns, rng)
    if slot == "surname":
        return pick_name(words.surnames["es" if rng.random() < 0.7 else "la"], rng)
    if slot == "invented":
        return invented_word("town", words.split, rng)
    if slot in ("given", "given_m", "given_f"):
        sex = slot[-1] if slot != "given" else rng.choice("mf")
        return pick_name(words.given["es", sex], rng).split()[0]
    if slot == "person":
        given = pick_name(words.given["es", rng.choice("mf")], rng)
        return f"{given} {pick_name(words.surnames['es'], rng)}"
    if slot == "saint":
        sex = rng.choice("mf")
        title = "San" if sex == "m" else "Santa"
        return f"{title} {pick_name(words.given['es', sex], rng).split()[0]}"
    return _SLOT.sub(lambda match: _word(match[1], words, rng, country), rng.choice(_FORMS[slot]))
