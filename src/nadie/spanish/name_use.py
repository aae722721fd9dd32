"""Names that are words as well: how usual each use is, by the lexicon and the list of ordinary names."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from nadie.spanish import tables
from nadie.spanish.folding import by_pieces, fold
from nadie.spanish.lexicon import UNKNOWN, Lexicon, entries, rarity_in
from nadie.spanish.population import spelled_given, spelled_surname

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
    return as_word == UNKNOWN or as_word >= as_name + _RATHER


def is_rather_a_word(folded: str) -> bool:
    """Whether it takes more than a capital letter to be a name: `Frente`, `Dolores`."""
    as_word, as_name = use_of(folded)
    return len(folded) <= _SHORT or folded in tables.ordinary_names() or as_word < as_name


def is_ordinary_word(folded: str) -> bool:
    """Whether it is a word of the language, at least as usual in lower case as with a capital letter.

    Accents are ignored, so that it also serves for texts in capitals: `NEUMONIA` is a word, `GARCIA` is not.
    """
    words, names = _forms()
    as_word = rarity_in(words, folded)
    return len(folded) > 1 and as_word < UNKNOWN and as_word <= rarity_in(names, folded)


@lru_cache(maxsize=1)
def _forms() -> tuple[frozenset[str], frozenset[str]]:
    """The folded words of the lexicon in lower case, and those with a capital letter, each with its rarity."""
    written = entries()
    kinds = (filter(of, written) for of in (str.islower, str.istitle))
    lower, capital = (frozenset(by_pieces(" ".join(kind), fold, fold).split(" ")) for kind in kinds)
    return lower, capital
