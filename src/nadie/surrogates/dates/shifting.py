"""Shifting dates by a secret number of days, the same for all dates of a patient.

Days are shifted by exactly that number of days. Coarser dates are shifted by a fixed number of their own units (the
nearest whole months, seasons or years), so that intervals between two days, two months or two years are preserved.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache

from nadie.errors import ConfigError

_DAYS_OF_YEAR = 365.2425
_LEAST_DAYS = 7
_MOST_DAYS = 36_525
_FEWEST_SHIFTS = 3
WEEKS_MORE = 4
"""With `series = "vary"`, by how many weeks at most the days of a year are shifted more or less."""


@dataclass(frozen=True, slots=True)
class ShiftOptions:
    """How dates may be shifted.

    `direction` is `past`, `future` or `both`. `weekday = "keep"` shifts by whole weeks, so that a Monday stays a
    Monday; `season = "keep"` shifts by whole years of 52 weeks, so that summer stays summer, but few shifts are
    possible. `series = "vary"` shifts the days of each calendar year by up to four weeks more or less, so that public
    holidays in a long series of visits do not give the shift away; intervals within a year are preserved. Shifts of
    less than half a year, as `least_days = 28` and `most_days = 182` allow, do not change years without a month.
    """

    least_days: int = 190
    most_days: int = 1456
    direction: str = "past"
    weekday: str = "keep"
    season: str = "move"
    series: str = "keep"

    def __post_init__(self) -> None:
        if self.direction not in ("past", "future", "both"):
            raise ConfigError(f"dates: direction must be past, future or both, not {self.direction[:20]!r}")
        for name, value, other in (
            ("weekday", self.weekday, "move"),
            ("season", self.season, "move"),
            ("series", self.series, "vary"),
        ):
            if value not in ("keep", other):
                raise ConfigError(f"dates: {name} must be keep or {other}, not {value[:20]!r}")
        is_wide = self.least_days >= _LEAST_DAYS and self.most_days <= _MOST_DAYS
        if not is_wide or len(self._sizes()) < _FEWEST_SHIFTS:
            given = f"{self.least_days}..{self.most_days}"
            raise ConfigError(
                f"dates: least_days must be at least {_LEAST_DAYS} and most_days well above it, not {given}"
            )

    @property
    def step(self) -> int:
        return 364 if self.season == "keep" else 7 if self.weekday == "keep" else 1

    def possible(self) -> list[int]:
        """All shifts that the options allow."""
        return _possible(self)

    def _sizes(self) -> list[int]:
        first = -(-self.least_days // self.step) * self.step
        sizes = [size for size in range(first, self.most_days + 1, self.step) if not _is_whole_years(size)]
        signs = {"past": (-1,), "future": (1,), "both": (-1, 1)}[self.direction]
        return [sign * size for size in sizes for sign in signs]


@cache
def _possible(options: ShiftOptions) -> list[int]:
    return options._sizes()


def _is_whole_years(days: int) -> bool:
    """Whether 3 January shifted by this number of days would be 3 January again."""
    years = days / _DAYS_OF_YEAR
    return abs(years - round(years)) * _DAYS_OF_YEAR < 1


DEFAULT = ShiftOptions()


def _none(year: int) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Shift:
    """A number of days, and the corresponding shift of coarser dates; `more` are the days to add in a calendar year."""

    days: int
    more: Callable[[int], int] = _none

    @property
    def years(self) -> int:
        return self._units(1)

    @property
    def decades(self) -> int:
        return round(self.days / _DAYS_OF_YEAR / 10)

    def _units(self, per_year: int) -> int:
        return round(self.days / _DAYS_OF_YEAR * per_year)

    def day(self, day: date) -> date:
        return day + timedelta(days=self.days + self.more(day.year))

    def part(self, year: int, place: int, per_year: int) -> tuple[int, int]:
        """A month, season or quarter, counted from 0, after the number of whole units nearest to the shift."""
        years, new = divmod(place + self._units(per_year), per_year)
        return year + years, new
