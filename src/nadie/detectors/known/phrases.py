"""Addresses, dates and other terms of known persons, in the forms in which notes write them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, datetime

from nadie.resolve.terms import folded_words
from nadie.spanish.calendar import MONTHS
from nadie.spanish.folding import fold

KINDS_OF_WAY = frozenset(
    """calle c cl cll avenida avda avd av plaza pza plz paseo pso carretera ctra camino ronda rda travesia glorieta
    urbanizacion urb pasaje pje carrera cra kra kr diagonal transversal jiron jr barrio colonia col""".split()
)
# Words of an address that have many spellings or are omitted.
ADDRESS_NOISE = KINDS_OF_WAY | frozenset(
    """numero num n no nro piso puerta pta escalera esc portal bloque bl planta apto dpto depto de del la las los el y
    s""".split()
)
DATE_NOISE = frozenset(("de", "del", "ano"))
_FORMATS = ("%d/%m/%Y", "%d-%m-%Y", "%d.%m.%Y", "%Y-%m-%d", "%Y/%m/%d", "%d/%m/%y", "%d-%m-%y", "%Y%m%d")


def address_cores(text: str) -> Iterator[list[str]]:
    """The parts of an address to search for: its name with the number, and with everything that follows."""
    words = [word.folded for word in folded_words(text)]
    core = [word for word in words if word not in ADDRESS_NOISE]
    numbers = [i for i, word in enumerate(core) if word.isdigit()]
    if not core or core[0].isdigit():
        if len(core) > 2:  # a grid: Cra. 7 # 45-12
            yield core
        return
    first = numbers[0] if numbers else len(core)
    if first >= 2 or (first and numbers) or len("".join(core[:first])) >= 8:
        yield core[: first + 1]
    for stop in range(first + 2, len(core) + 1):
        yield core[:stop]


def date_forms(text: str) -> Iterator[list[str]]:
    """The words of a date in every order and form; nothing if the text is not a date."""
    day = _parse(text.strip())
    if day is None:
        return
    months = {f"{day.month:02}", str(day.month), *(fold(names[day.month - 1]) for names in MONTHS)}
    days = {f"{day.day:02}", str(day.day)}
    for month in sorted(months):
        for number in sorted(days):
            for year in (str(day.year), f"{day.year % 100:02}"):
                yield [number, month, year]
                yield [month, number, year]
            yield [str(day.year), month, number]
    yield [f"{day:%Y%m%d}"]
    yield [f"{day:%d%m%Y}"]


def _parse(text: str) -> date | None:
    text = re.sub(r"[T ]\d{2}:.*$", "", text)
    for form in _FORMATS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None
