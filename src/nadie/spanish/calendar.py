"""Months, days of the week, seasons and feasts by their names."""

from __future__ import annotations

from datetime import date, timedelta

from nadie.spanish import tables
from nadie.spanish.folding import key_of

MONTH_SERIES = tuple(tuple(line.split()) for line in tables.lines("months.txt"))
WEEKDAY_SERIES = tuple(tuple(line.split()) for line in tables.lines("weekdays.txt"))
ROMAN = 8
MONTHS = MONTH_SERIES[: ROMAN + 1]
FULL = MONTHS[:4]
"""The forms in full, of Spanish, Catalan and Galician."""
SHORT = 4

WEEKDAYS = WEEKDAY_SERIES[:2]
SEASONS = ("invierno", "primavera", "verano", "otoño")

_FEASTS = tables.rows("feasts.tsv")
FEASTS = tuple(name for name, _, _ in _FEASTS)
SAINTS = tuple(name for name, _, use in _FEASTS if use == "saint")
"""Feasts of saints, who are people, streets and hospitals as well."""
AMBIGUOUS = frozenset(name for name, _, use in _FEASTS if use)
"""Names of saints, and others that alone are no day."""
_RULES = {key_of(name): rule for name, rule, _ in _FEASTS if rule}
DATED_FEASTS = tuple(sorted(_RULES, key=len, reverse=True))
"""The folded names of feasts whose day is known, the longest first."""


def easter(year: int) -> date:
    """Easter Sunday of the Gregorian calendar, by the algorithm of Butcher and Meeus."""
    golden, century, of_century = year % 19, year // 100, year % 100
    leap, left = century // 4, century % 4
    moon = (century - (century + 8) // 25 + 1) // 3
    epact = (19 * golden + century - leap - moon + 15) % 30
    weekday = (32 + 2 * left + 2 * (of_century // 4) - epact - of_century % 4) % 7
    correction = (golden + 11 * epact + 22 * weekday) // 451
    month, day = divmod(epact + weekday - 7 * correction + 114, 31)
    return date(year, month, day + 1)


def feast(name: str, year: int) -> date:
    """The day of a feast of `DATED_FEASTS`."""
    rule = _RULES[name]
    if rule[0] in "+-":
        return easter(year) + timedelta(days=int(rule))
    month, day = rule.split("-")
    return date(year, int(month), int(day))
