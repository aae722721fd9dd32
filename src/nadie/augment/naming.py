"""Names of places and institutions that stand in no list: made of people, saints, flowers and towns by pattern.

A model that only ever saw listed hospitals knows a list. Half of the names in the copies are therefore new ones.
"""

from __future__ import annotations

import re
from functools import cache
from random import Random

from nadie.augment.invention import invented_word
from nadie.augment.split import Split, split_of
from nadie.augment.vocabulary import InventedWords, pick, rows

_SLOT = re.compile(r"\{(\w+)\}")
_TRIES = 12


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    return {kind: tuple(forms.split("|")) for kind, forms in rows("name_forms.tsv")}


def has_forms(kind: str) -> bool:
    return kind in _forms()


def new_name(kind: str, words: InventedWords, rng: Random, country: str = "ES") -> str:
    """A name of that kind, on the vocabulary's own side of the split."""
    name = ""
    for _ in range(_TRIES):
        name = _SLOT.sub(lambda match: _word(match[1], words, rng, country), rng.choice(_forms()[kind]))
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
        return pick(words.surnames["es" if rng.random() < 0.7 else "la"], rng)
    if slot == "invented":
        return invented_word("town", words.split, rng)
    if slot in ("given", "given_m", "given_f"):
        sex = slot[-1] if slot != "given" else rng.choice("mf")
        return pick(words.given["es", sex], rng).split()[0]
    if slot == "person":
        given = pick(words.given["es", rng.choice("mf")], rng)
        return f"{given} {pick(words.surnames['es'], rng)}"
    if slot == "saint":
        sex = rng.choice("mf")
        title = "San" if sex == "m" else "Santa"
        return f"{title} {pick(words.given['es', sex], rng).split()[0]}"
    return _SLOT.sub(lambda match: _word(match[1], words, rng, country), _pick_form(slot, words.split, rng))


def _pick_form(kind: str, split: Split, rng: Random) -> str:
    del split
    return rng.choice(_forms()[kind])
