"""The values of an atom after the shift, before they are written."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date, timedelta

from nadie.spanish import calendar
from nadie.spanish.dates.atoms import Atom, Grain, some_day
from nadie.surrogates.dates.shifting import Shift

_FIRST, _LAST = 400, 9000
_NEAR = 16  # days: a bare day number is the nearest day with that number
_SOLSTICES = ((3, 21), (6, 21), (9, 23), (12, 21))


@dataclass(frozen=True, slots=True)
class Moved:
    """The values of an atom after the shift; None for values that the atom does not specify."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    place: int | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """Information from the document for a date that is incomplete.

    `year` is the most probable year; `day` a full date nearby; `bound` are the days in the same sentence, with which a
    season must be consistent.
    """

    year: int
    day: date | None = None
    bound: tuple[date, ...] = ()


def located(atom: Atom, around: Surroundings) -> Atom:
    """The atom with the year, and the month of a bare day, inferred from the document."""
    if atom.grain is Grain.DAY and atom.month is None:
        day = _nearest(atom.day or 0, around.day) if around.day else None
        return atom if day is None else replace(atom, year=day.year, month=day.month, is_assumed=True)
    return replace(atom, year=around.year, is_assumed=True) if atom.year is None else atom


def _nearest(number: int, anchor: date) -> date | None:
    days = (anchor + timedelta(days=step) for step in sorted(range(-_NEAR, _NEAR + 1), key=abs))
    return next((day for day in days if day.day == number), None)


def move(atom: Atom, shift: Shift, around: Surroundings) -> Moved | None:
    """The atom after the shift, or None if it has no month or is out of range. The atom must be located."""
    year = atom.year or around.year
    if not _FIRST < year < _LAST:
        return None
    if atom.grain is Grain.DAY:
        day = some_day(year, atom.month, atom.day or 1) if atom.month else None
        return None if day is None else _of_day(shift.day(day))
    if atom.grain is Grain.WEEK:
        week = shift.day(date.fromisocalendar(year, atom.place, atom.day or 1)).isocalendar()
        return Moved(year=week.year, day=week.weekday, place=week.week)
    if atom.grain is Grain.FEAST:
        return _of_day(shift.day(calendar.feast(atom.word, year)))
    if atom.grain is Grain.MONTH:
        new_year, month = shift.part(year, (atom.month or 1) - 1, 12)
        return Moved(year=new_year, month=month + 1)
    if atom.grain is Grain.SEASON:
        return _season(atom, shift, around)
    if atom.grain is Grain.PART:
        return Moved(*_placed(shift.part(year, atom.place, atom.per_year)))
    if atom.grain is Grain.DECADE:
        return Moved(place=atom.place + shift.decades)
    if atom.grain is Grain.WEEKDAY:
        return Moved(weekday=(atom.place + shift.days) % 7)
    return Moved(year=year + shift.years) if atom.grain is Grain.YEAR else Moved()


def _of_day(day: date) -> Moved:
    return Moved(day.year, day.month, day.day, day.weekday())


def _placed(part: tuple[int, int]) -> tuple[int, None, None, None, int]:
    return part[0], None, None, None, part[1]


def _season(atom: Atom, shift: Shift, around: Surroundings) -> Moved:
    """The season of the day in the same sentence if the two agreed; otherwise shifted by a number of seasons."""
    for day in around.bound:
        if _season_of(day) == atom.place and (atom.is_assumed or day.year == atom.year):
            new = shift.day(day)
            return Moved(year=new.year, place=_season_of(new))
    return Moved(*_placed(shift.part(atom.year or around.year, atom.place, 4)))


def _season_of(day: date) -> int:
    return sum((day.month, day.day) >= solstice for solstice in _SOLSTICES) % 4
