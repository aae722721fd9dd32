"""Atoms: the single dates that a date expression consists of."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import Enum


class Grain(Enum):
    """The smallest unit that an atom specifies."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    PART = "quarter, half or third of a year"
    YEAR = "year"
    DECADE = "decade"
    WEEKDAY = "weekday"
    FEAST = "feast"
    RELATIVE = "today, yesterday"


@dataclass(frozen=True, slots=True)
class Atom:
    """One date: its grain, its values, and the offsets of each of its fields in the text.

    A year or month without a field is not written: it comes from another atom (`donor`), or was inferred from the
    document (`is_assumed`). `language` is `en` or `ca` if the text shows it. `place` is the season, the part of the
    year, the week, the decade or the day of the week.
    """

    grain: Grain
    start: int
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    place: int = 0
    per_year: int = 1
    word: str = ""
    fields: dict[str, tuple[int, int]] = field(default_factory=dict)
    language: str = ""
    is_assumed: bool = False
    donor: int | None = None

    def is_possible(self) -> bool:
        """Whether such a day exists; 29 February without a year does."""
        if self.grain is Grain.WEEK:
            return self._is_week()
        if self.month is not None and not 1 <= self.month <= 12:
            return False
        return self.day is None or day_of(self.year or 2000, self.month or 1, self.day) is not None

    def _is_week(self) -> bool:
        try:
            date.fromisocalendar(self.year or 2000, self.place, 1)
        except ValueError:
            return False
        return True

    def says(self, *names: str) -> bool:
        """Whether one of these fields is written in the text."""
        return any(name in self.fields for name in names)

    @property
    def says_year(self) -> bool:
        return self.says("y", "yy", "yw")

    @property
    def says_month(self) -> bool:
        return self.says("m", "name", "six")

    @property
    def is_numeric(self) -> bool:
        return self.says("m")

    def date(self) -> date | None:
        """The day, if the atom is a day and its year and month are known."""
        if self.grain is not Grain.DAY or self.year is None or self.month is None or self.day is None:
            return None
        return day_of(self.year, self.month, self.day)


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None


def some_day(year: int, month: int, day: int) -> date | None:
    """The day in that year; for 29 February, the day in the preceding leap year."""
    return day_of(year, month, day) or day_of(year - year % 4, month, day)
