"""Relatives and people close to the patient: which words are kinship terms, and which are names."""

from __future__ import annotations

import re
from collections.abc import Iterator

from nadie.spanish.folding import same_length
from nadie.spanish.kinship import KIN, KIN_IN_LOWER_CASE, UNITS
from nadie.spanish.lexicon import UNKNOWN, Lexicon
from nadie.spanish.name_forms import is_pet_name
from nadie.spanish.names import FEMALE_TITLES, JOINING, MALE_TITLES
from nadie.spanish.numbers import NUMBERS
from nadie.spanish.population import bearers, surname_bearers

_WORD = re.compile(r"(?<!\d)[^\W\d_]+(?:['’.-][^\W\d_]+)*\.?")
_SHORTEST_UNKNOWN = 5
_USUAL = 500  # bearers
_TITLES = MALE_TITLES | FEMALE_TITLES


def is_kin(word: str) -> bool:
    """Whether a word is a kinship term or a function word beside one; OCR errors such as `rn` for `m` are undone."""
    folded = same_length(word).rstrip(".")
    if folded in KIN_IN_LOWER_CASE:
        return word[0].islower()  # Nora and Neto are names, in Galician and Portuguese nora and neto are relatives
    if folded == "nina" and "ñ" not in word.lower() and word[0].isupper():
        return False  # Nina is a name; who writes niña without the tilde seldom writes a capital letter
    forms = (folded, folded.replace("rn", "m"), folded.replace("l", "i"))  # scans take these for one another
    return any(form in KIN or form in NUMBERS or form in UNITS for form in forms)


def is_name(word: str, *, is_dictated: bool = False, is_after_name: bool = False) -> bool:
    """Whether a word that is no kinship term is a name: it has a capital letter, or is a usual first name.

    In a dictated text, all in lower case, rare names and words that the lexicon does not have are names as well.
    """
    folded = same_length(word).rstrip(".")
    if word[0].isupper() or bearers(folded) >= _USUAL or is_pet_name(folded):
        return True
    if is_dictated and (bearers(folded) or surname_bearers(folded)):
        return True
    is_long = is_after_name or len(folded) >= _SHORTEST_UNKNOWN
    return is_dictated and is_long and Lexicon.shared().rarity(folded) == UNKNOWN  # `la hija bianka`


def names_in(value: str, *, is_dictated: bool = False) -> Iterator[tuple[int, int]]:
    """The ranges of names in a span about relatives: runs of words that are names, with their particles."""
    is_run = is_dictated and " " in value.strip()
    start = end = -1
    for match in _WORD.finditer(value):
        word = match.group()
        folded = same_length(word).rstrip(".")
        gap = value[end : match.start()]
        if start >= 0 and (gap.strip() not in ("", "^") or "\n" in gap):
            yield start, end
            start = -1
        is_particle = folded in JOINING or folded in ("y", "da", "dos")
        if is_particle and start >= 0 and folded != "y":
            continue
        if is_kin(word) or folded in _TITLES or not is_name(word, is_dictated=is_run, is_after_name=start >= 0):
            if start >= 0:
                yield start, end
            start = -1
            continue
        start, end = (match.start() if start < 0 else start), match.end()
    if start >= 0:
        yield start, end
