"""The date of birth, where a policy does not show the age in full: the two must not tell more than one of them.

A date of birth that moves with all other dates still tells the exact age at each of them. So where ages become bands,
the date of birth becomes the years in which somebody in that band, at the latest date of the document, was born.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from nadie.anonymize.dates.calendar import Calendar, years_between
from nadie.anonymize.dates.shifting import Shift
from nadie.anonymize.decision import REFUSE, Outcome
from nadie.document import Span

_SAME_AGE = 1  # the day on which an age was told may lie on the other side of a birthday


@dataclass(frozen=True, slots=True)
class AgeRule:
    """What a policy shows of ages: bands of `band` years (0: each year), all from `top` on as one, or nothing."""

    band: int = 0
    top: int = 200
    is_hidden: bool = False

    def bounds(self, years: int) -> tuple[int, int]:
        """The first and the last age of the band; children below one year are one by themselves."""
        if years < 1:
            return 0, 0
        low = years // self.band * self.band
        return max(low, 1), min(low + self.band, self.top) - 1


def birth_outcome(calendar: Calendar, span: Span, rule: AgeRule, told: Iterable[int], shift: Shift) -> Outcome | None:
    """What comes in the place of a date of birth, or None where the span is none, or the age is shown in full.

    `told` are the ages in years that the document tells.
    """
    if not calendar.is_birth(span):
        return None
    if rule.is_hidden:
        return REFUSE
    age = _age(calendar, told)
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


def _age(calendar: Calendar, told: Iterable[int]) -> int | None:
    """The age at the latest date: as it is told, or worked out."""
    reference = calendar.reference
    if reference is None or calendar.birth_year is None:
        return max(told, default=None)
    birth = calendar.birth or date(calendar.birth_year, 7, 1)
    age = years_between(birth, reference)
    return next((number for number in told if abs(number - age) <= _SAME_AGE), age)
