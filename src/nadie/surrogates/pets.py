"""Invented names of pets, which may identify their owner."""

from __future__ import annotations

import re

from nadie.spanish.folding import key_of, same_length
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.spelling import in_case_of

PETS = Lists("pets", "nadie.surrogates")
_MALE = re.compile(rf"\b{PETS.pattern('male animals')}\b")
_FEMALE = re.compile(rf"\b{PETS.pattern('female animals')}\b")
_ANIMAL = re.compile(r"\bmascotas?\b")
_OWNER = re.compile(r"\b(?:duen[oa]s?|amo|ama|propietari[oa]|paseador[a]?|veterinari[oa]) $")
_ALIKE = 4  # letters: Canelo is no other name than Canela


def is_owner(before: str) -> bool:
    """Whether the text before a name says that it is that of a person: `el perro Rocky y su dueña Ana`."""
    return _OWNER.search(same_length(before)) is not None


def another_pet(value: str, around: str, key: Draws, scope: str) -> str | None:
    """Another name for an animal; None if the text around the value names no animal."""
    folded = same_length(around)
    male, female = _MALE.search(folded), _FEMALE.search(folded)
    own = key_of(value)
    if not (male or female or _ANIMAL.search(folded)):
        return None
    sex = "m" if male and not female else "f" if female and not male else "f" if own.endswith("a") else "m"
    chosen = key.choose(PETS[sex], lambda name: key_of(name)[:_ALIKE] != own[:_ALIKE], "pet", scope, own)
    return None if chosen is None else in_case_of(chosen, value)
