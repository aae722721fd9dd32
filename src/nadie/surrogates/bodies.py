"""Public bodies: names shared by every town or a whole country are kept; in others the place or number changes."""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import tables
from nadie.spanish.centre_words import KINDS, LINKS
from nadie.spanish.folding import key_of, words_of
from nadie.spanish.word_lists import Lists

_LISTS = Lists("bodies", "nadie.surrogates")

_NUMBERED = re.compile(r"(\D+)(\d{1,4})")
_LONGEST_NUMBER_WORD = 3  # `n.º`, `nro`


def is_everywhere(value: str) -> bool:
    """Whether a body is too common to identify anybody: `Policía Local`, `IMSS`, `Tribunal de Familia`."""
    folded, words = key_of(value), words_of(value)
    if bodies_like(value):
        return False
    if folded in _everywhere() or folded in _LISTS.words("alone"):
        return True
    for end in (1, 2):
        if " ".join(words[-end:]) in tables.country_codes():
            words = words[:-end]  # `Policía Nacional del Perú`
    return len(words) > 1 and words[0] in _LISTS.words("heads") and all(is_body_word(word) for word in words[1:])


def is_body_word(word: str) -> bool:
    """Whether a word gives the kind of a body, not its name."""
    return (
        word in KINDS
        or word in LINKS
        or word in _LISTS.words("words")
        or word in _LISTS.words("heads")
        or word in _LISTS.words("small")
    )


def number_in(value: str) -> re.Match[str] | None:
    """The match of a body that is named by its number alone: `Juzgado de lo Contencioso n.º 14`."""
    numbered = _NUMBERED.fullmatch(value)
    words = words_of(numbered[1]) if numbered else []
    is_named = any(not is_body_word(word) and len(word) > _LONGEST_NUMBER_WORD for word in words)
    return None if is_named or not is_body(words) else numbered


def is_body(words: list[str]) -> bool:
    """Whether a name begins like that of a public body; a place may follow."""
    return bool(words) and words[0] in _LISTS.words("heads")


def bodies_like(value: str) -> tuple[str, ...]:
    """Bodies of the same kind in other regions: police, ambulances. Health services would contradict the town."""
    own = key_of(value)
    if own in ("mossos", "mossos d'esquadra", "mossos d esquadra"):
        return ("Policía Autonómica",)
    kinds = (_LISTS["police"], _LISTS["ambulances"])
    return next((_others(kind, own) for kind in kinds if own in map(key_of, kind)), ())


def _others(names: tuple[str, ...], own: str) -> tuple[str, ...]:
    return tuple(name for name in names if key_of(name) != own)


@cache
def _everywhere() -> frozenset[str]:
    """Bodies of which every town has one, or the whole country: they do not identify anybody."""
    return frozenset(map(key_of, _LISTS["everywhere"]))
