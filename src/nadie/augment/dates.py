"""Dates and ages as notes write them, in digits or in words."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from random import Random

from nadie.spanish.calendar import FEASTS
from nadie.spanish.numbers import before_noun
from nadie.spanish.word_lists import Lists
from nadie.surrogates.dates.by_example import written_like
from nadie.surrogates.spelling import in_case_of

_FORMS = Lists("date_forms", "nadie.augment")
_VARIANTS = {"sep": ("sep", "sept", "set"), "ene": ("ene", "en"), "ago": ("ago", "agto"), "dic": ("dic", "dbre")}
_VARIED = re.compile(rf"(?i)(?<![^\W\d_])(?:{'|'.join(_VARIANTS)})(?![^\W\d_])")


def random_date(rng: Random, first: int, last: int) -> date:
    """A day of the years `first` to `last`."""
    start = date(first, 1, 1)
    return start + timedelta(days=rng.randrange((date(last, 12, 31) - start).days + 1))


DateForm = Callable[[date, Random], str]


@cache
def _examples(kind: str) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """The examples of a kind of form, and how often each counts."""
    found = [entry.partition("*")[::2] for entry in _FORMS[kind]]
    return tuple(example for example, _ in found), tuple(int(count or 1) for _, count in found)


def form(*kinds: tuple[str, float]) -> DateForm:
    """Writes a day in a form of one of the kinds, which are drawn by their weights."""
    names, weights = zip(*kinds, strict=True)

    def write(day: date, rng: Random) -> str:
        kind = rng.choices(names, weights)[0] if len(names) > 1 else names[0]
        examples, counts = _examples(kind)
        written = written_like(rng.choices(examples, counts)[0], day)
        return _VARIED.sub(lambda match: in_case_of(rng.choice(_VARIANTS[match[0].lower()]), match[0]), written)

    return write


numeric = form(("numeric", 1))
full_date = form(
    *(("numeric", 8), ("spelled", 3), ("abbreviated", 1.5), ("iso", 1.2), ("hyphenated", 0.6), ("roman", 0.4)),
    ("words", 0.15),
)
season = form(("season", 1))
month_and_year = form(("month and year", 1))
year = form(("year", 1))
vague_date = form(("month and year", 5), ("year", 4), ("season", 0.7))
with_weekday = form(("weekday", 1))
day_and_month = form(("day and month", 1))
month_only = form(("month", 1))
weekday_only = form(("day of the week", 1))


def feast(day: date, rng: Random) -> str:
    name = rng.choice(FEASTS).removeprefix("el ").removeprefix("la ")
    return f"{name} de {day.year}" if rng.random() < 0.25 else name


def full_age(days: int, rng: Random) -> str:
    """The age with its unit, which is part of the span."""
    count, unit = _measure(days, rng)
    plural = "" if count == 1 else "es" if unit == "mes" else "s"
    share = rng.random()
    if share < 0.09:
        words = before_noun(count, feminine=unit in ("semana", "hora"))
        text = f"{words} {unit}{plural}"
    elif share < 0.11:
        text = f"{count}{unit}{plural}"
    else:
        text = f"{count} {unit}{plural}"
    if unit == "año" and 1 <= count <= 6 and rng.random() < 0.4:
        months = rng.randint(1, 11)
        text += f" y {months} mes{'es' if months > 1 else ''}"
    return text


def short_age(days: int, rng: Random) -> str:
    """`67a`, `5 m`, `12 d`: the telegraphic forms."""
    count, unit = _measure(days, rng)
    letter = {"año": "a", "mes": "m", "semana": "s", "día": "d", "hora": "h"}[unit]
    forms = [f"{count}{letter}", f"{count} {letter}", f"{count} {letter}.", f"{count}{letter}."]
    if unit == "año":
        forms += [f"{count} a", f"{count}a", f"{count} años", f"{count} AÑOS", f"{count}años"]
    if unit == "mes":
        forms = [f"{count}m", f"{count} m", f"{count} meses", f"{count}meses"]
    return rng.choice(forms)


def bare_age(days: int, rng: Random) -> str:
    """The number of years without a unit; ages under two keep theirs."""
    return str(days // 365) if days >= 730 else full_age(days, rng)


def _measure(days: int, rng: Random) -> tuple[int, str]:
    if days >= 730:
        return days // 365, "año"
    if days >= 60:
        return max(2, days // 30), "mes"
    if days >= 14 and rng.random() < 0.5:
        return days // 7, "semana"
    if days <= 3 and rng.random() < 0.5:
        return days * 24 - rng.randint(0, 20), "hora"
    return days, "día"
