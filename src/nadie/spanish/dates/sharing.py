"""Years and months that dates of one list or range share: `3 y 5 de mayo`, `28/12 al 03/01/2019`."""

from __future__ import annotations

import re
from dataclasses import replace

from nadie.spanish.dates.atoms import Atom, Grain
from nadie.spanish.folding import same_length

_RANGE = re.compile(r"[-–]|\b(?:al?|hasta|to)\b")


def inherited(atoms: list[Atom], text: str) -> list[Atom]:
    """Copy years and months from each date to earlier dates that lack them, then to later ones."""
    full = list(atoms)
    for place in range(len(full) - 2, -1, -1):
        later = _neighbour(full, range(place + 1, len(full)), full[place])
        if later is not None:
            is_range = _RANGE.search(same_length(text[full[place].end : full[later].start])) is not None
            given = _from_later(full[place], full[later], later, is_range=is_range)
            if not is_range and place and _contradicts(full[place - 1], given):
                given = _from_later(full[place], full[later], later, is_range=True)
            full[place] = given
    for place in range(1, len(full)):
        earlier = _neighbour(full, range(place - 1, -1, -1), full[place])
        if earlier is not None:
            full[place] = _from_earlier(full[place], full[earlier], earlier)
    return full


def _contradicts(weekday: Atom, atom: Atom) -> bool:
    """Whether the day of the week before a date is another one: `martes 27 y jueves 13 de octubre`, of September."""
    day = atom.date() if weekday.grain is Grain.WEEKDAY else None
    return day is not None and day.weekday() != weekday.place


def _neighbour(atoms: list[Atom], places: range, atom: Atom) -> int | None:
    """The nearest date of a list that has the missing field; days of the week are ignored."""
    place = next((n for n in places if atoms[n].grain is not Grain.WEEKDAY), None)
    return place if place is not None and _can_give(atoms[place], atom) else None


def _can_give(donor: Atom, atom: Atom) -> bool:
    if atom.grain is Grain.DAY and atom.month is None:
        return donor.grain in (Grain.DAY, Grain.MONTH) and donor.month is not None
    if atom.year is not None or donor.year is None:
        return False
    if atom.grain in (Grain.DAY, Grain.MONTH):
        return donor.grain in (Grain.DAY, Grain.MONTH)
    return atom.grain in (Grain.SEASON, Grain.PART) and donor.grain is atom.grain and donor.per_year == atom.per_year


def _from_later(atom: Atom, donor: Atom, place: int, *, is_range: bool) -> Atom:
    """`3 y 5 de mayo`: the 3 is in the same month; `diciembre y enero de 2010`: December is in the year before."""
    year, month = donor.year, atom.month
    if atom.grain is Grain.DAY and month is None:
        month = donor.month or 1
        if is_range and donor.grain is Grain.DAY and (atom.day or 0) > (donor.day or 0):
            year, month = _next(year, month, -1)
    elif year is not None and _within_year(atom) > _within_year(donor):
        year -= 1
    return replace(atom, year=year, month=month, donor=place, is_assumed=donor.is_assumed)


def _from_earlier(atom: Atom, donor: Atom, place: int) -> Atom:
    """`28/12/2018 y el 3`: the following date is later."""
    year, month = donor.year, atom.month
    if atom.grain is Grain.DAY and month is None:
        month = donor.month or 1
        if donor.grain is Grain.DAY and (atom.day or 0) < (donor.day or 0):
            year, month = _next(year, month, 1)
    elif year is not None and _within_year(atom) < _within_year(donor):
        year += 1
    return replace(atom, year=year, month=month, donor=place, is_assumed=donor.is_assumed)


def _within_year(atom: Atom) -> int:
    return atom.place if atom.month is None else atom.month


def _next(year: int | None, month: int, step: int) -> tuple[int | None, int]:
    months = month - 1 + step
    return None if year is None else year + months // 12, months % 12 + 1
