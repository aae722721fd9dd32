"""Invented ages: changed by a year or two, within limits that matter clinically, and consistent with the dates.

If a document states the date of birth, the age is computed from the shifted dates. Otherwise it changes by one or two
years, by the same number for all ages of a patient, but only as far as the next limit: those of childhood, and from 20
on every five years. Ages of less than two years stay, because a few days or months are a clinical difference there.
"""

from __future__ import annotations

import re
from itertools import pairwise

from nadie.surrogates.age_forms import read, write
from nadie.surrogates.dates.calendar import Calendar, years_between
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.draws import Draws

_LIMITS: tuple[int, ...] = (2, 3, 6, 10, 12, 15, 16, 18, *range(20, 95, 5), 116)
_ABOUT = re.compile(r"(?i)\by (?:pico|tantos)\b")  # `ochenta y pico` says little already
_STEPS = (-2, -1, 1, 2)
_MOST_BIRTHS, _MOST_DAYS = 3, 200
_AT_SCHOOL = range(3, 18)  # years
_SCHOOL_YEAR = re.compile(
    r"\b(?:[1-6]\s?(?:\.?[ºo°ª]|er|ro|do|to)|primero?|segundo|tercero?|cuarto|quinto|sexto|repite)\W{1,3}"
    r"(?:(?:curso|ano|grado)\s+)?(?:de\s+)?(?:la\s+)?"
    r"(?:e\.?\s?s\.?\s?o\b|primaria|infantil|bach\w*|preescolar|secundaria|prepa\w*|basic[oa]|medio\b|grado\b|egb|ep\b|kinder)"
)
_CHILD = 12  # weight, height and vaccines of a note would contradict two years more or less


class Ages:
    """Moves the ages of one patient."""

    def __init__(self, key: Draws, patient: str, calendar: Calendar) -> None:
        self._step = _STEPS[key.number(len(_STEPS), "age", patient)]
        self._calendar = calendar

    def rewrite(self, value: str, *, own: bool = True) -> Outcome:
        """Another age in the same form; `own` is false for a relative's, to whom the patient's birth does not apply."""
        ages = read(value)
        if ages is None:
            return REFUSE
        if not ages or _ABOUT.search(value):
            return KEEP
        new = value
        if own and len(ages) == 1 and ages[0].number in _AT_SCHOOL and self._calendar.tells(_SCHOOL_YEAR):
            return KEEP  # the year of school tells the age
        has_birth = own and self._calendar.birth_year is not None
        for age in reversed(ages):
            if age.unit == "year":  # of `3 años y 5 meses` the months stay
                new = write(
                    new, age, self._by_dates(age.number, has_birth, len(ages)) if own else self._moved(age.number)
                )
        return KEEP if new == value else new

    def _moved(self, years: int) -> int:
        stage = next((s for s in pairwise(_LIMITS) if s[0] <= years < s[1]), None)
        if stage is None:
            return years
        step = self._step if years >= _CHILD else self._step // abs(self._step)
        low, high = stage
        return min(max(years + step, low), high - 1)

    def _by_dates(self, years: int, has_birth: bool, of_several: int) -> int:
        """The age between the shifted birth and the shifted date at which it was stated.

        Without a date that is named as that of birth, two dates that lie as many years apart are taken for it.
        """
        days, shift = self._calendar.days, self._calendar.shift
        births = ([self._calendar.birth] if self._calendar.birth else []) if has_birth else sorted(days)[:_MOST_BIRTHS]
        for birth in births if of_several == 1 else ():
            for day in reversed(days[-_MOST_DAYS:]):
                if day > birth and years_between(birth, day) == years:
                    return years_between(shift.day(birth), shift.day(day))
        return years if has_birth else self._moved(years)
