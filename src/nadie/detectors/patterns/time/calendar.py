"""The words of the calendar, in Spanish and, for months, Catalan and Galician, as pieces of patterns."""

from __future__ import annotations

from collections.abc import Iterable

from nadie.spanish.calendar import FULL, MONTHS, ROMAN, SEASONS, SHORT, WEEKDAYS
from nadie.spanish.folding import fold
from nadie.spanish.numbers import SMALL
from nadie.spanish.numbers import TENS as TENS_FROM_THIRTY


def _any(names: Iterable[str]) -> str:
    """One pattern for some words."""
    return f"(?:{'|'.join(dict.fromkeys(map(fold, names)))})"


MONTH = _any(name for names in FULL for name in names)
# The features of the shipped models know no `febr` and no `agos`.
SHORT_MONTH = _any((*MONTHS[SHORT], "set", "sept"))
ROMAN_MONTH = _any(sorted(MONTHS[ROMAN], key=lambda name: (-len(name), name)))
WEEKDAY = _any(WEEKDAYS[0])
SEASON = _any(SEASONS)

_UNITS = _any(("uno", "un", "una", *SMALL[2:10]))
_TEENS = _any((*SMALL[10:20], *SMALL[21:], "veintiun", "veintiuna"))
TENS = _any(("veinte", *TENS_FROM_THIRTY))
# One to ninety-nine in words.
COUNT = rf"(?:{_TEENS}|{TENS}(?: y {_UNITS})?|{_UNITS})"

DAY = rf"(?:0?[1-9]|[12]\d|3[01])(?:º|ª|er|ro)?|primero|{COUNT}"
YEAR = r"(?:1[89]\d{2}|20[0-4]\d)"
SPELT_YEAR = rf"(?:dos mil(?: {COUNT})?|mil (?:ochocientos|novecientos)(?: {COUNT})?)"


def number_of_day(text: str) -> bool:
    """Whether digits may be the day of a month."""
    return text.isdigit() and 1 <= int(text) <= 31


def number_of_month(text: str) -> bool:
    return text.isdigit() and 1 <= int(text) <= 12


def number_of_year(text: str) -> bool:
    """Whether digits may be a year: four digits from 1850 to 2049, or any two."""
    return len(text) == 2 or (len(text) == 4 and 1850 <= int(text) <= 2049)
