"""Dates that need a second interpretation: with letters in place of digits, or with the month first."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise

from nadie.spanish import languages
from nadie.spanish.dates.atoms import Atom, Grain

_SCANNED = re.compile(
    r"(?<![^\W\d_])(?=[lo]*\d)[\dlio]{2,}(?=t[\dlo]|(?![^\W\d_]))|(?<![^\W\d_])lo(?=\s+de\s)|(?<![^\W\d_])[lio]{2}(?=[-/.][\dlio]{1,4}\b)"
    r"|(?<=[\dlio][-/.])[lio]{2}(?![^\W\d_])|(?<=\dt)[lo][\dlo](?=:)|(?<=\d:)[\dlo]{2}(?![^\W\d_])"
)
_LOOKS = str.maketrans("l1|0345c", "iiioease")  # letters and figures that scans take for one another
_MIXED = re.compile(r"\w{4,10}")
_MONTH_FIRST = re.compile(r"(?<![\d/])(?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])/(?:\d{4}|\d{2})(?!\d)")
_LATE_DAY = re.compile(r"/(?:1[3-9]|2\d|3[01])(?!\d)")  # as both of the next two have: a quick test
_AFTER_WEEKDAY = re.compile(r"(?i)\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? (?:0?[1-9]|1[0-2])/(?:1[3-9]|2\d|3[01])\b")
_IN_FIGURES = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}(?![\d])")
_DAY_FIRST = re.compile(r"(?<![\d/])(?:1[3-9]|2\d|3[01])/(?:0?[1-9]|1[0-2])/(?:\d{4}|\d{2})(?!\d)")
_SHORTEST_NAME = 4
_FIGURES = str.maketrans("lio", "110")


def as_figures(folded: str) -> str:
    """The folded text with digits in place of letters from OCR errors: `l9`, `2o24`."""
    return _SCANNED.sub(lambda found: found.group().translate(_FIGURES), folded)


def as_words(folded: str) -> str:
    """The folded text with the months and days of the week that a scan misread: `ju1io`, `lun3s`."""
    return _MIXED.sub(lambda found: _names_by_look().get(found.group().translate(_LOOKS), found.group()), folded)


@cache
def _names_by_look() -> dict[str, str]:
    names = (name for name in (*languages.month_words(), *languages.weekday_words()) if len(name) >= _SHORTEST_NAME)
    return {name.translate(_LOOKS): name for name in names}


@lru_cache(maxsize=64)
def is_month_first(text: str) -> bool:
    """Whether the dates of a text, two or more, are written as in the United States: `03/21/2024`."""
    if _LATE_DAY.search(text) is None:
        return False
    if _AFTER_WEEKDAY.search(text):
        return True
    is_shown = _MONTH_FIRST.search(text) is not None and _DAY_FIRST.search(text) is None
    return is_shown and len(_IN_FIGURES.findall(text)) > 1


def with_month_first(atom: Atom) -> Atom:
    """A day in figures, as `03/21`, read with the month first where that is possible."""
    if not (atom.says("m") and atom.says("d")) or atom.fields["m"] < atom.fields["d"]:
        return atom
    fields = {**atom.fields, "d": atom.fields["m"], "m": atom.fields["d"]}
    other = replace(atom, month=atom.day, day=atom.month, fields=fields)
    return other if other.is_possible() else atom


def swapped(atom: Atom) -> Atom | None:
    """`12/25/2010`: the month first, if no other reading is possible."""
    if not (atom.says("m") and atom.says("d") and atom.says_year):
        return None
    fields = {**atom.fields, "d": atom.fields["m"], "m": atom.fields["d"]}
    other = replace(atom, month=atom.day, day=atom.month, fields=fields)
    return other if other.is_possible() else None


def month_first(atoms: list[Atom]) -> list[Atom]:
    """`lunes 03/11/2024`: the month first, if only then the day of the week is correct."""
    found = list(atoms)
    for place, (weekday, atom) in enumerate(pairwise(atoms), start=1):
        other, day = swapped(atom), atom.date()
        if weekday.grain is Grain.WEEKDAY and other is not None and day is not None:
            new = other.date()
            if day.weekday() != weekday.place and new is not None and new.weekday() == weekday.place:
                found[place] = other
    return found
