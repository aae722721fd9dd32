"""What dates tell about their shift."""

from __future__ import annotations

import random
from datetime import date, timedelta

import pytest

from nadie.anonymize.context import Context, PolicyOptions
from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.risk.dates import is_holiday, possible_shifts
from nadie.surrogates.dates.events import contradicts_event
from nadie.surrogates.dates.shifting import ShiftOptions
from nadie.surrogates.originals import Originals


def left(visits: int, series: str, patient: str = "p") -> int:
    """The number of shifts that fit a patient's visits on working days best."""
    options = ShiftOptions(series=series)
    context = Context(Document("", ""), Key(b"k" * 32), "", patient, PolicyOptions(options), Originals(set()))
    every = [date(2018, 1, 1) + timedelta(days=n) for n in range(4 * 365)]
    working = [day for day in every if day.weekday() < 5 and not is_holiday(day)]
    moved = [context.shift.day(day) for day in random.Random(patient).sample(working, visits)]
    return possible_shifts(moved, options)[0]


def test_public_holidays_give_the_shift_of_many_visits_away() -> None:
    assert left(200, "keep") < 5
    assert left(10, "keep") > 60


@pytest.mark.parametrize("patient", ["a", "b", "c"])
def test_a_hundred_visits_leave_sixty_shifts_if_the_series_varies(patient: str) -> None:
    assert left(100, "vary", patient) >= 60


def test_a_series_that_varies_keeps_weekdays_and_the_intervals_of_a_year() -> None:
    options = PolicyOptions(ShiftOptions(series="vary"))
    shift = Context(Document("", ""), Key(b"k" * 32), "", "p", options, Originals(set())).shift
    first, second, later = date(2019, 2, 4), date(2019, 11, 8), date(2021, 3, 1)
    assert shift.day(second) - shift.day(first) == second - first
    assert {shift.day(day).weekday() == day.weekday() for day in (first, second, later)} == {True}
    assert abs((shift.day(later) - shift.day(first)) - (later - first)) <= timedelta(weeks=8)
    with pytest.raises(ConfigError, match="series must be keep or vary"):
        ShiftOptions(series="move")


@pytest.mark.parametrize(
    ("text", "years", "expected"),
    [
        ("Durante el confinamiento empeoró.", [2017, 2018], True),
        ("EPOC GOLD 2024 grupo E.", [2022], True),
        ("EPOC GOLD 2024 grupo E.", [2022, 2024], False),
        ("Sin cambios desde 2015.", [2017], False),
        ("Durante el confinamiento empeoró.", [], False),
    ],
)
def test_events_that_are_later_than_all_dates(text: str, years: list[int], *, expected: bool) -> None:
    assert contradicts_event(text, years) is expected
