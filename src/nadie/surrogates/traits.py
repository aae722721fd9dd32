"""Surrogates for traits given in a word, such as marital status, nationality or language: another word of that sort."""

from __future__ import annotations

import re
from functools import cache

from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("traits", "nadie.surrogates")
_KINDS = (
    "status", "status plurals", "beliefs", "belief plurals", "unions", "orientations", "origins", "peoples", "nations",
    "languages",
)  # fmt: skip
_CODES = ("S", "M", "D", "W")  # of marital status in HL7
_SPEAKS = re.compile(r"\b(?:habla|hablan|idioma|lengua|lengua materna|int[eé]rprete de|en|hablante de)(?: es el)?\W*$")
_UNKNOWN = re.compile(r"[^\W\d_]{3,}(?:[ '’-][^\W\d_]+){0,2}")
_SAYS_WHAT = re.compile(
    r"(?:(?:nacionalidad|origen|etnia|raza|pueblo|religi[oó]n|creencias?|estado civil|idioma|lengua materna|habla|"
    r"de|es|son)\s*:?\s+)+",
    re.IGNORECASE,
)


@cache
def _kinds() -> tuple[tuple[tuple[str, str], ...], ...]:
    nations = ((country.masculine, country.feminine) for country in tables.countries())
    people = (*((man, woman) for man, woman in nations if man and woman), *_LISTS.pairs("nations"))
    return tuple(tuple(dict.fromkeys(people)) if kind == "nations" else _LISTS.pairs(kind) for kind in _KINDS)


def another_trait(value: str, key: Draws, scope: str, before: str = "", *, is_surely: bool = False) -> str | None:
    """Another word of the same list and gender: `etnia gitana` → `etnia maya`; None for a word on no list.

    If `is_surely` a trait, a word on no list is replaced by the name of a people. The text `before` distinguishes a
    language from a nationality.
    """
    if is_surely and value in _CODES:
        return key.choose(_CODES, lambda code: code != value, "trait", scope, value)
    if _SPEAKS.search(before.lower()) and any(key_of(name) == key_of(value) for name in _LISTS["languages"]):
        spoken = key.choose(
            _LISTS["languages"], lambda name: key_of(name) != key_of(value), "trait", scope, key_of(value)
        )
        return spoken and in_case_of(spoken, value)
    return _trait(value, key, scope, is_surely=is_surely)


def _trait(value: str, key: Draws, scope: str, *, is_surely: bool) -> str | None:
    before = _SAYS_WHAT.match(value)
    start = before.end() if before else 0
    words = value[start:].split()
    new = _another(value[start:], key, scope)
    if new is None and len(words) > 1:
        new = _another(words[0], key, scope)  # `judía askenazí`
    if new is None and is_surely and _UNKNOWN.fullmatch(value[start:]):
        either = tuple(man for man, woman in _LISTS.pairs("peoples") if man == woman)
        new = key.choose(either, lambda word: key_of(word) != key_of(value), "trait", scope, key_of(value))
        new = new and in_case_of(new, value[start:])
    return None if new is None else value[:start] + new


@cache
def _peoples() -> frozenset[str]:
    return frozenset(key_of(name) for row in _LISTS.pairs("peoples") for name in row)


@cache
def _folded() -> tuple[tuple[tuple[str, str], ...], ...]:
    """The words of all lists, folded."""
    return tuple(tuple((key_of(man), key_of(woman)) for man, woman in kind) for kind in _kinds())


def _is_near(word: str, people: str) -> bool:
    """Whether two peoples live in the same part of America; true for words that are no peoples."""
    south = _LISTS.words("of the south")
    return people not in _peoples() or (key_of(word) in south) == (people in south)


def _another(value: str, key: Draws, scope: str) -> str | None:
    folded = key_of(dict(_LISTS.pairs("aliases")).get(value.lower(), value))
    for kind, keys in zip(_kinds(), _folded(), strict=True):
        for column in (0, 1):
            if any(row[column] == folded for row in keys):
                both = (folded, folded) in keys
                pool = tuple(row[column] for row in kind if not both or row[0] == row[1])
                pool = (
                    tuple(word for word in pool if word not in _LISTS.words("rare") and _is_near(word, folded)) or pool
                )
                chosen = key.choose(pool, lambda word: key_of(word) != folded, "trait", scope, folded)
                if chosen is None or value.islower():
                    return chosen  # `testigo de Jehová`
                return in_case_of(chosen, value)
    return None
