"""Birthdays, days and years that numbers tell, moved as the dates of the document are."""

from __future__ import annotations

import re
from datetime import date

from nadie.spanish.squashing import squash
from nadie.surrogates.dates.shifting import Shift

_MEXICAN = re.compile(r"\d{4}([- ]?)\d\d\1\d{4}\1\d")  # the NSS, whose third pair is the year of birth
_YEAR = re.compile(
    r"(?<![\w.])(?:\d{1,8}[/:-])?(?P<year>(?:19[5-9]|20[0-3])\d)(?:[/:-](?:[A-Z]{1,4}[/:-])?\d{1,8})?(?![\w.])"
)
_DAY = re.compile(r"20[0-2]\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])")  # `20240510-0045`
_BIRTHDAY = re.compile(r"(?P<letters>[A-Z]{4})(?P<day>\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01]))")


class ToldTimes:
    """Moves what the numbers of a document tell.

    `birth` is the patient's date of birth. Where the age is hidden, `tells_births` is false, and birthdays are drawn.
    """

    def __init__(self, shift: Shift, birth: date | None, *, tells_births: bool) -> None:
        self._shift = shift
        self._birth = birth if tells_births else None
        self._tells_births = tells_births

    def told(self, value: str, compact: str) -> tuple[int, str] | None:
        """The place of a birthday, a day or a year that a number tells, and its figures after the shift."""
        if _BIRTHDAY.match(compact):
            moved, place = self.moved(compact[4:10]), 4
        elif self._birth and _MEXICAN.fullmatch(value) and int(compact[4:6]) == self._birth.year % 100:
            moved, place = f"{self._shift.day(self._birth).year % 100:02d}", 4
        elif _DAY.match(compact):
            moved, place = self.moved(compact[:8]), 0
        elif (year := _year_in(value)) is not None:
            moved, place = str(int(compact[year : year + 4]) + self._shift.years), year
        else:
            return None
        return None if moved is None else (place, moved)

    def moved(self, figures: str) -> str | None:
        """The day in six or eight figures after the shift of all dates; None where a birthday must not tell the age."""
        is_birth = len(figures) == len("yymmdd")
        if is_birth and not (self._tells_births and _is_day(figures)):
            return None
        century = "" if not is_birth else "20" if int(figures[:2]) <= date.today().year % 100 else "19"
        try:
            day = self._shift.day(date.fromisoformat(century + figures))
        except ValueError:
            return None
        return f"{day:%Y%m%d}"[-len(figures) :]


def has_birthday_in(compact: str) -> bool:
    """Whether a number has a birthday after four letters, as those of insurances."""
    return _BIRTHDAY.match(compact) is not None and _is_day(compact[4:10])


def _year_in(value: str) -> int | None:
    """The place, among the letters and digits, of the year in a number that has one beside a slash or a dash."""
    found = next((m for m in _YEAR.finditer(value) if m.group() != m["year"]), None)
    is_plain = found is not None and not any(sign in "ºª" for sign in value)
    return len(squash(value[: found.start("year")])) if found and is_plain else None


def _is_day(figures: str) -> bool:
    """Whether six digits are a day: insurance numbers have the patient's birthday after four letters."""
    try:
        date(2000 + int(figures[:2]), int(figures[2:4]), int(figures[4:]))
    except ValueError:
        return False
    return True
