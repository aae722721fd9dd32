"""What the dates of an output tell about their shift: public holidays.

Outpatients are seen on working days. Whoever moves the dates of a long series back by each possible shift in turn sees
that wrong shifts put visits on public holidays.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import cache, lru_cache

from nadie.spanish.calendar import easter
from nadie.surrogates.dates.shifting import WEEKS_MORE, ShiftOptions

_FIXED = ((1, 1), (1, 6), (5, 1), (8, 15), (10, 12), (11, 1), (12, 6), (12, 8), (12, 25))
_GOOD_FRIDAY = timedelta(days=-2)
_FRIDAY = 4


def possible_shifts(days: Iterable[date], options: ShiftOptions) -> tuple[int, int]:
    """The number of shifts that fit a patient's days best, and of all possible ones.

    The attacker assumes that visits are on working days: of the days that are from Monday to Friday, those shifts fit
    best that put the fewest on a national holiday of Spain. Where the shift varies by year, each year is moved as fits
    best.
    """
    visits = [day for day in set(days) if day.weekday() <= _FRIDAY]
    shifts = options.possible()
    if not visits:
        return len(shifts), len(shifts)
    weeks = range(-WEEKS_MORE, WEEKS_MORE + 1) if options.series == "vary" else (0,)
    contradictions = [_contradictions(visits, shift, weeks) for shift in shifts]
    return contradictions.count(min(contradictions)), len(shifts)


def _contradictions(visits: Iterable[date], shift: int, weeks: Sequence[int]) -> int:
    """How many visits are on holidays if they are moved back, those of each year by some weeks more or less."""
    by_year: dict[int, list[date]] = defaultdict(list)
    for day in visits:
        back = day - timedelta(days=shift)
        by_year[back.year].append(back)
    return sum(
        min(sum(is_holiday(day - timedelta(weeks=n)) for day in days) for n in weeks) for days in by_year.values()
    )


@lru_cache(1 << 14)
def is_holiday(day: date) -> bool:
    return (day.month, day.day) in _FIXED or day == _good_friday(day.year)


@cache
def _good_friday(year: int) -> date:
    return easter(year) + _GOOD_FRIDAY
