"""Dates in figures: day, month and year in any order, with any separator."""

from __future__ import annotations

import re

from nadie.detectors.patterns.base import SEPARATOR, ends_alone, follows, precedes, stands_alone
from nadie.detectors.patterns.measures import has_scale, has_unit
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.detectors.patterns.time.calendar import WEEKDAY, number_of_day, number_of_month, number_of_year
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("time", "nadie.detectors.patterns")

_FULL = r"\b(\d{1,4} {0,2}[./-] {0,2}\d{1,2} {0,2}[./-] {0,2}\d{1,4})"
_SPACED = r"\b([0-3]\d [01]\d (?:19|20)\d{2})\b"
_CUE = _WORDS.pattern("fields of dates")
_MONTH_YEAR = r"\b((?:0?[1-9]|1[0-2]) ?[/-] ?(?:19|20)\d{2}|(?:19|20)\d{2}[/-](?:0[1-9]|1[0-2]))\b"
_COMPACT = r"\b((?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))"
# After a cue, mistyped dates count as well.
_CUED = (
    r"\d{1,4} {0,2}[./ -]{1,3} {0,2}\d{1,3} {0,2}[./ -]{1,3} {0,2}\d{1,4}|\d{4,6}[/.-]\d{2,4}|"
    r"\d{1,2}[/.-]\d{4,6}|(?:\d{8}|\d{6})|(?:19|20)\d{2}"
)
_DIGITS = re.compile(r"\d+")


def _is_date(first: str, second: str, third: str) -> bool:
    """Whether three numbers are a date in the order of Spain, of the USA, or of ISO 8601."""
    if len(first) == 4:
        return number_of_year(first) and number_of_month(second) and number_of_day(third)
    if len(first) > 2 or len(third) not in (2, 4) or not number_of_year(third):
        return False
    day_first = number_of_day(first) and number_of_month(second)
    return day_first or (number_of_month(first) and number_of_day(second))


def _full_date(note: PlainText, start: int, end: int) -> float:
    """The score of three numbers: their order, whether the year has a century, and whether the separators agree."""
    value = note.plain[start:end]
    first, second, third = _DIGITS.findall(value)
    if not _is_date(first, second, third):
        return 0.0
    if follows(note, start, r"[a-z0-9_]|\d[.,/-]", 2) or precedes(note, end, r"[./-]\d", 2):
        return 0.0
    if not ends_alone(note, end) and not precedes(note, end, r"t\d{2}:|[a-z]{2}", 4):
        return 0.0
    century = len(first) == 4 or len(third) == 4
    one, other = (c for c in value if c in "./-")
    if one != other:
        return 0.85 if century else 0.6
    return 0.98 if century else {"/": 0.95, "-": 0.85}.get(one, 0.55)


def _spaced_date(note: PlainText, start: int, end: int) -> float:
    return 0.75 if _is_date(*note.plain[start:end].split()) and stands_alone(note, start, end) else 0.0


def _month_year(note: PlainText, start: int, end: int) -> float:
    """The score of a month and a year of four digits: `03/2016`, `2016-03`."""
    if not stands_alone(note, start, end) or has_unit(note, end):
        return 0.0
    return 0.6 if note.plain[start : start + 4].isdigit() else 0.88


def _day_month(note: PlainText, start: int, end: int) -> float:
    """The score of a day and a month, which fractions and clinical scores look like: 0 without a sign of a date."""
    day, month = _DIGITS.findall(note.plain[start:end])
    if not (number_of_day(day) and number_of_month(month)) or not stands_alone(note, start, end):
        return 0.0
    if has_scale(note, start) or has_unit(note, end):
        return 0.0
    if follows(note, start, rf"\b(?:fecha|dia|{WEEKDAY}|lun|mie|jue|vie|sab|dom)[.,]?[ :]{{1,2}}"):
        return 0.92
    if "/" not in note.plain[start:end]:
        return 0.0
    if precedes(note, end, r",? {1,2}(?:a las )?(?:[01]?\d|2[0-3])[:.h][0-5]\d"):
        return 0.9
    if follows(note, start, r"\b(?:el|del|desde(?: el)?|hasta(?: el)?|al|con fecha|hoy|ayer|anteayer|manana)[ (]{1,2}"):
        return 0.8
    line = follows(note, start, r"(?:\A|\n) {0,3}[(*-]? ?", 6)
    return 0.75 if line and precedes(note, end, r" ?[:.)-][ \n]|\)| (?-i:[A-Z])") else 0.0


def _cued_date(note: PlainText, start: int, end: int) -> float:
    whole = ends_alone(note, end) or precedes(note, end, r"[a-z]{2}")
    return 0.93 if whole and not precedes(note, end, r"[./-]\d| ?de ") else 0.0


def _compact_date(note: PlainText, start: int, end: int) -> float:
    """The score of eight digits without separators, alone or before a time: `20160312`."""
    if precedes(note, end, r"[ t]?\d{4,6}\b|t\d{2}:", 8):
        return 0.9
    return 0.5 if stands_alone(note, start, end) else 0.0


PATTERNS = (
    ContextPattern("date", Label.FECHAS, _FULL, _full_date),
    ContextPattern("date", Label.FECHAS, _SPACED, _spaced_date),
    ContextPattern("month_year", Label.FECHAS, _MONTH_YEAR, _month_year),
    ContextPattern("day_month", Label.FECHAS, r"\b(\d{1,2} ?[/-] ?\d{1,2})\b", _day_month),
    ContextPattern("date_cued", Label.FECHAS, rf"(?i)\b{_CUE}{SEPARATOR}({_CUED})", _cued_date),
    ContextPattern("date_compact", Label.FECHAS, _COMPACT, _compact_date),
)
