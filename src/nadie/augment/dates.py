"""Dates and ages as notes write them, in digits or in words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from random import Random

from nadie.spanish.calendar import FEASTS, MONTHS, ROMAN, SEASONS, SHORT, WEEKDAYS
from nadie.spanish.numbers import before_noun, in_words

_SHORT_VARIANTS = {9: ("sep", "sept", "set"), 1: ("ene", "en"), 8: ("ago", "agto"), 12: ("dic", "dbre")}


def random_date(rng: Random, first: int, last: int) -> date:
    """A day of the years `first` to `last`."""
    start = date(first, 1, 1)
    return start + timedelta(days=rng.randrange((date(last, 12, 31) - start).days + 1))


def _month(day: date, rng: Random) -> str:
    month = MONTHS[0][day.month - 1]
    if day.month == 9 and rng.random() < 0.15:
        month = "setiembre"
    return month.capitalize() if rng.random() < 0.2 else month


def _short_month(day: date, rng: Random) -> str:
    short = rng.choice(_SHORT_VARIANTS.get(day.month, (MONTHS[SHORT][day.month - 1],)))
    short = rng.choice((short, short, short.capitalize(), short.upper()))
    return short + ("." if rng.random() < 0.1 else "")


def numeric(day: date, rng: Random) -> str:
    """Digits only, day first, with one of the usual separators."""
    mark = rng.choices("/-.", (6, 3, 1.5))[0]
    year = f"{day.year}" if rng.random() < 0.7 else f"{day.year % 100:02}"
    if rng.random() < 0.75:
        return f"{day.day:02}{mark}{day.month:02}{mark}{year}"
    return f"{day.day}{mark}{day.month}{mark}{year}"


def iso(day: date, rng: Random) -> str:
    return day.strftime(rng.choice(("%Y-%m-%d", "%Y-%m-%d", "%Y/%m/%d", "%Y%m%d")))


def spelled(day: date, rng: Random) -> str:
    """The date with the month in words, and the year."""
    joint = rng.choice((" de ", " de ", " de ", " del ", " "))
    number = "1º" if day.day == 1 and rng.random() < 0.3 else rng.choice((f"{day.day}", f"{day.day}", f"{day.day:02}"))
    return f"{number} {rng.choice(('de ', 'de ', 'de ', ''))}{_month(day, rng)}{joint}{day.year}"


def abbreviated(day: date, rng: Random) -> str:
    mark = rng.choice("--/ .")
    year = f"{day.year}" if rng.random() < 0.6 else f"{day.year % 100:02}"
    return f"{day.day:02}{mark}{_short_month(day, rng).rstrip('.')}{mark}{year}"


def hyphenated(day: date, rng: Random) -> str:
    return f"{day.day}-{_month(day, rng)}-{day.year}"


def roman(day: date, rng: Random) -> str:
    mark = rng.choice("-/. ")
    return f"{day.day}{mark}{MONTHS[ROMAN][day.month - 1]}{mark}{day.year if rng.random() < 0.6 else day.year % 100:02}"


def month_and_year(day: date, rng: Random) -> str:
    if rng.random() < 0.25:
        return rng.choice(
            (f"{day.month:02}/{day.year}", f"{day.month}/{day.year % 100:02}", f"{day.month:02}-{day.year}")
        )
    if rng.random() < 0.2:
        return (
            f"{_short_month(day, rng)}{rng.choice('- /')}{day.year if rng.random() < 0.5 else f'{day.year % 100:02}'}"
        )
    return f"{_month(day, rng)}{rng.choice((' de ', ' de ', ' de ', ' del ', ' '))}{day.year}"


def year(day: date, rng: Random) -> str:
    return f"año {day.year}" if rng.random() < 0.15 else f"{day.year}"


def with_weekday(day: date, rng: Random) -> str:
    weekday = WEEKDAYS[0][day.weekday()]
    if rng.random() < 0.15:
        return f"{rng.choice((weekday, WEEKDAYS[1][day.weekday()]))} {day.day:02}/{day.month:02}"
    tail = f" de {day.year}" if rng.random() < 0.35 else ""
    comma = "," if rng.random() < 0.15 else ""
    return f"{weekday}{comma} {day.day} de {_month(day, rng)}{tail}"


def day_and_month(day: date, rng: Random) -> str:
    if rng.random() < 0.35:
        return rng.choice((f"{day.day:02}/{day.month:02}", f"{day.day}/{day.month}", f"{day.day:02}-{day.month:02}"))
    return f"{day.day} de {_month(day, rng)}"


def month_only(day: date, rng: Random) -> str:
    return _month(day, rng)


def weekday_only(day: date, rng: Random) -> str:
    del rng
    return WEEKDAYS[0][day.weekday()]


def season(day: date, rng: Random) -> str:
    return f"{rng.choice(SEASONS)}{rng.choice((' de ', ' de ', ' del '))}{day.year}"


def feast(day: date, rng: Random) -> str:
    name = rng.choice(FEASTS).removeprefix("el ").removeprefix("la ")
    return f"{name} de {day.year}" if rng.random() < 0.25 else name


def in_full_words(day: date, rng: Random) -> str:
    del rng
    day_words = "primero" if day.day == 1 else in_words(day.day)
    return f"{day_words} de {MONTHS[0][day.month - 1]} de {in_words(day.year)}"


DateForm = Callable[[date, Random], str]
_FULL: tuple[tuple[DateForm, float], ...] = (
    (numeric, 8),
    (spelled, 3),
    (abbreviated, 1.5),
    (iso, 1.2),
    (hyphenated, 0.6),
    (roman, 0.4),
    (in_full_words, 0.15),
)
_VAGUE: tuple[tuple[DateForm, float], ...] = ((month_and_year, 5), (year, 4), (season, 0.7))


def full_date(day: date, rng: Random) -> str:
    """A day with its year, in any form."""
    forms, weights = zip(*_FULL, strict=True)
    chosen: DateForm = rng.choices(forms, weights)[0]
    return chosen(day, rng)


def vague_date(day: date, rng: Random) -> str:
    """A month, a season or a year."""
    forms, weights = zip(*_VAGUE, strict=True)
    chosen: DateForm = rng.choices(forms, weights)[0]
    return chosen(day, rng)


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
