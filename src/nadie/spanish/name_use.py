"""Names that are words as well: how usual each use is, by the lexicon and the list of ordinary names."""

from __future__ import annotations

import gzip
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

from nadie.spanish import tables
from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.population import spelled_given, spelled_surname

_UNKNOWN = 10  # the rarity of words that the lexicon does not have
_RATHER = 2  # steps of rarity by which a name is more usual with a capital letter
_SHORT = 3


class Use(NamedTuple):
    """How rare a folded word is in lower case, and with a capital letter."""

    as_word: int
    as_name: int


@lru_cache(maxsize=4096)
def use_of(folded: str) -> Use:
    rarity = Lexicon.shared().rarity
    forms = [form for form in (spelled_given(folded), spelled_surname(folded), folded) if form]
    return Use(min(rarity(form.lower()) for form in forms), min(rarity(form[:1].upper() + form[1:]) for form in forms))


def is_name_in_lower_case(folded: str) -> bool:
    """Whether part of a known name means the person even in lower case: `fernandez`, and not `blanco` or `gil`."""
    if len(folded) <= _SHORT or folded in tables.ordinary_names():
        return False
    as_word, as_name = use_of(folded)
    return as_word == _UNKNOWN or as_word >= as_name + _RATHER


def is_rather_a_word(folded: str) -> bool:
    """Whether it takes more than a capital letter to be a name: `Frente`, `Dolores`."""
    as_word, as_name = use_of(folded)
    return len(folded) <= _SHORT or folded in tables.ordinary_names() or as_word < as_name


def is_ordinary_word(folded: str) -> bool:
    """Whether it is a word of the language, at least as usual in lower case as with a capital letter.

    Accents are ignored, so that it also serves for texts in capitals: `NEUMONIA` is a word, `GARCIA` is not.
    """
    as_word, as_name = (rarities.get(folded, _UNKNOWN) for rarities in _folded_rarities())
    return as_word < _UNKNOWN and as_word <= as_name


@lru_cache(maxsize=1)
def _folded_rarities() -> tuple[dict[str, int], dict[str, int]]:
    """The rarity of each folded word in lower case, and with a capital letter."""
    in_lower_case: dict[str, int] = {}
    with_capital: dict[str, int] = {}
    clusters = (files("nadie.models") / "lexicon" / "clusters.txt.gz").read_bytes()
    for entry in gzip.decompress(clusters).decode().replace("\n", " ").split(" "):
        form, rarity = entry.rpartition("\t")[2][:-1], entry[-1:]  # a line begins with its cluster and a tab
        if form.isalpha() and form[1:].islower():
            rarities = in_lower_case if form[0].islower() else with_capital
            folded = fold(form)
            rarities[folded] = min(int(rarity), rarities.get(folded, _UNKNOWN))
    return in_lower_case, with_capital
