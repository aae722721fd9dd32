"""Dates of birth under a policy that hides the exact age: the date must not reveal more than the age.

A date of birth that is shifted with all other dates still reveals the exact age at each of them. So if ages become
bands, the date of birth becomes the range of years in which somebody in that band, at the latest date of the document,
was born.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from nadie.document import Span
from nadie.surrogates.dates.calendar import Calendar, years_between
from nadie.surrogates.dates.shifting import Shift
from nadie.surrogates.decision import REFUSE, Outcome

_SAME_AGE = 1  # the age may have been stated before or after a birthday


@dataclass(frozen=True, slots=True)
class AgeRule:
    """What a policy shows of ages: bands of `band` years (0: each year), a single band from `top` on, or nothing."""

    band: int = 0
    top: int = 200
    is_hidden: bool = False

    def bounds(self, years: int) -> tuple[int, int]:
        """The first and the last age of the band; children below one year are a separate band."""
        if years < 1:
            return 0, 0
        low = years // self.band * self.band
        return max(low, 1), min(low + self.band, self.top) - 1


def birth_outcome(calendar: Calendar, span: Span, rule: AgeRule, stated: Iterable[int], shift: Shift) -> Outcome | None:
    """The replacement of a date of birth, or None if the span is not a date of birth or the age is shown exactly.

    `stated` are the ages in years that the document states.
    """
    if not calendar.is_birth(span):
        return None
    if rule.is_hidden:
        return REFUSE
    age = _age(calendar, stated)
    if age is not None and age >= rule.top:
        return REFUSE
    if not rule.band:
        return None
    reference = calendar.reference
    if age is None or reference is None:
        low = (calendar.birth_year or 0) + shift.years
        low -= low % rule.band
        return f"{low}-{low + rule.band - 1}"
    youngest, oldest = rule.bounds(age)
    year = shift.day(reference).year
    return f"{year - oldest - 1}-{year - youngest}"


def _age(calendar: Calendar, stated: Iterable[int]) -> int | None:
    """The age at the latest date, as stated or computed."""
    reference = calendar.reference
    if reference is None or calendar.birth_year is None:
        return max(stated, default=None)
    birth = calendar.birth or date(calendar.birth_year, 7, 1)
    age = years_between(birth, reference)
    return next((number for number in stated if abs(number - age) <= _SAME_AGE), age)
