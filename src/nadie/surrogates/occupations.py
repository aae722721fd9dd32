"""Groups of occupations after ISCO-08, by which a profession is generalized: `soldador` → `trabajador del metal`.

A group is found by the words of the profession, or else by the titles of ESCO that begin with the same words.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import NamedTuple

from nadie.spanish import tables
from nadie.spanish.folding import words_of

_PACKAGE = "nadie.surrogates"
_LONGEST_TITLE = 6  # words, as in the table of titles
_ADJECTIVES = ("io", "ia", "ero", "era", "ico", "ica", "al")  # of general words: `profesional sanitaria`
_SURE = 3  # words of a title that tell more than the beginning of one word


class Group(NamedTuple):
    """A group of occupations: what its members are called, and where they work (`trabaja en` ...)."""

    name: str
    masculine: str
    feminine: str
    place: str

    def called(self, column: int, *, is_plural: bool = False) -> str:
        """What a man (0) or a woman (1) of the group is called, or several of them."""
        head, *rest = (self.feminine if column else self.masculine).split(" ")
        if not is_plural:
            return " ".join((head, *rest))
        ends = 1 if rest and rest[0].endswith(_ADJECTIVES) else 0
        return " ".join((_plural(head), *map(_plural, rest[:ends]), *rest[ends:]))


@cache
def groups() -> dict[str, Group]:
    found = {}
    for name, _, called, place, _ in tables.rows("occupations.tsv", _PACKAGE):
        masculine, _, feminine = called.partition("/")
        found[name] = Group(name, masculine, feminine or masculine, place)
    return found


def group_of_code(isco: str) -> str:
    """The name of the group that a code of ISCO-08 belongs to, by the longest of its beginnings; empty if none."""
    return next((_codes()[isco[:n]] for n in range(len(isco), 0, -1) if isco[:n] in _codes()), "")


@cache
def _codes() -> dict[str, str]:
    rows = tables.rows("occupations.tsv", _PACKAGE)
    return {code: name for name, codes, *_ in rows for code in codes.split("|")}


@cache
def _stems() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = tables.rows("occupations.tsv", _PACKAGE)
    return tuple((name, re.compile(rf"\b(?:{stems})")) for name, _, _, _, stems in rows)


@cache
def _titles() -> dict[str, str]:
    return {row[0]: row[1] for row in tables.rows("titles.tsv.gz", _PACKAGE)}


@lru_cache(maxsize=4096)
def group_of(profession: str) -> Group | None:
    """The group of a profession; None if no word of it is known."""
    words = words_of(profession)
    folded = " ".join(words)
    found = [
        (match.start(), -match.end(), name)
        for name, stem in _stems()
        for match in stem.finditer(folded)
        if name != "general"
    ]
    length = next((n for n in range(_LONGEST_TITLE, 0, -1) if " ".join(words[:n]) in _titles()), 0)
    first = min(found, default=None)
    is_one_word = len(words) == 1  # of which the titles of ESCO are rather of some special trade
    if first and (length == 0 or is_one_word or (first[0] == 0 and length < _SURE)):
        return groups()[first[2]]
    if length:
        return groups()[_titles()[" ".join(words[:length])]]
    return groups()["general"] if dict(_stems())["general"].match(folded) else None


def _plural(word: str) -> str:
    return word + ("s" if word[-1] in "aeo" else "es")
