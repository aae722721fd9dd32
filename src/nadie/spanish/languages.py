"""Months and days of the week in the languages that notes use beside Spanish, in full and abbreviated.

A series names all twelve months, or all seven days. If two series share a name, the earlier one is meant.
"""

from __future__ import annotations

from nadie.spanish import calendar
from nadie.spanish.folding import fold, key_of

_ENGLISH, ROMAN, _ENGLISH_SHORT, *_OTHERS = calendar.MONTH_SERIES[calendar.ROMAN - 1 :]
CATALAN = calendar.MONTHS[2]
ENGLISH = (_ENGLISH, _ENGLISH_SHORT)
# `sept`, `agos` and `set` are one person's habit for one month, and no series.
_SHORT_VARIANTS = calendar.MONTHS[calendar.SHORT + 1 : calendar.SHORT + 3]
MONTHS = (*calendar.MONTHS[: calendar.ROMAN], _ENGLISH_SHORT, *_OTHERS, ROMAN)
WEEKDAYS = calendar.WEEKDAY_SERIES
INITIALS = ("L", "M", "X", "J", "V", "S", "D")
"""The days of the week by one letter, as in tables."""

ENGLISH_MONTHS = frozenset(fold(n) for names in ENGLISH for n in names) - {
    fold(n) for names in calendar.MONTHS[: calendar.ROMAN - 1] for n in names
}
ENGLISH_DAYS = frozenset(fold(n) for names in WEEKDAYS[-2:] for n in names) - {fold(n) for n in calendar.WEEKDAYS[1]}


def _by_name(series: tuple[tuple[str, ...], ...]) -> dict[str, tuple[int, tuple[str, ...]]]:
    return {fold(name): (place, names) for names in reversed(series) for place, name in enumerate(names)}


_MONTH_OF = _by_name(MONTHS)
_WEEKDAY_OF = _by_name((*WEEKDAYS, INITIALS))


def month_of(word: str) -> tuple[int, tuple[str, ...]]:
    """The number of a month, from 1, and the series that has its name."""
    place, names = _MONTH_OF[key_of(word)]
    return place + 1, names


def months_like(word: str, language: str) -> tuple[str, ...]:
    """The series for writing another month like `word`; `language` is `en` or `ca` for English or Catalan dates."""
    month, names = month_of(word)
    series = {"en": ENGLISH, "ca": (CATALAN,)}.get(language, ())
    found = next((other for other in series if fold(other[month - 1]) == key_of(word)), names)
    return calendar.MONTHS[calendar.SHORT] if found in _SHORT_VARIANTS else found


def weekday_of(word: str) -> tuple[int, tuple[str, ...]]:
    """The number of a day of the week, from 0, and the series that has its name."""
    return _WEEKDAY_OF[key_of(word)]


def weekdays_like(word: str, language: str) -> tuple[str, ...]:
    """The series for writing another day of the week like `word`."""
    day, names = weekday_of(word)
    short = WEEKDAYS[-1]
    return short if language == "en" and fold(short[day]) == key_of(word) else names


def month_words() -> list[str]:
    """All folded names of months but the Roman ones, the longest first."""
    return sorted({fold(name) for names in MONTHS[:-1] for name in names}, key=len, reverse=True)


def weekday_words() -> list[str]:
    """All folded names of days of the week but the single letters, the longest first."""
    return sorted({fold(name) for names in WEEKDAYS for name in names}, key=len, reverse=True)
