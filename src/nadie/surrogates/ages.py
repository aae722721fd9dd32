"""Invented ages: slightly changed, within one stage of life, and consistent with the dates.

If a document states the date of birth, the age is computed from the shifted dates. Otherwise it changes by one or two,
by the same number for all ages of a patient, and stays in its stage: a newborn stays a newborn, a child stays a child,
and an age of ninety or more stays so.
"""

from __future__ import annotations

import re
from itertools import pairwise

from nadie.surrogates.age_forms import Age, read, write
from nadie.surrogates.dates.calendar import Calendar, years_between
from nadie.surrogates.decision import KEEP, REFUSE, Outcome
from nadie.surrogates.draws import Draws

_STAGES = {
    "year": (1, 2, 6, 12, 18, 40, 65, 80, 90, 115),
    "month": (1, 2, 6, 12, 24, 36, 60),
    "week": (1, 4, 8, 26, 52),
    "day": (1, 7, 28, 60, 120),
    "hour": (1, 24, 72),
}
_ABOUT = re.compile(r"(?i)\by (?:pico|tantos)\b")  # `ochenta y pico` says little already
_STEPS = (-2, -1, 1, 2)
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
        has_birth = own and self._calendar.birth_year is not None
        for age in reversed(ages):
            new = write(new, age, self._by_birth(age, len(ages)) if has_birth else self._moved(age))
        return KEEP if new == value else new

    def _moved(self, age: Age) -> int:
        stages = _STAGES[age.unit]
        stage = next((s for s in pairwise(stages) if s[0] <= age.number < s[1]), None)
        if stage is None:
            return age.number
        if age.unit == "year" and age.number < _CHILD:
            one = self._step // abs(self._step)
            return next((n for step in (one, -one) if stage[0] <= (n := age.number + step) < stage[1]), age.number)
        steps = (self._step, self._step // abs(self._step), -self._step, -self._step // abs(self._step))
        return next((n for step in steps if stage[0] <= (n := age.number + step) < stage[1]), age.number)

    def _by_birth(self, age: Age, of_several: int) -> int:
        """The age in years, computed from the shifted birth and the shifted date at which it was stated."""
        birth = self._calendar.birth
        shift = self._calendar.shift
        if age.unit != "year" or of_several > 1:
            return age.number
        for day in reversed(self._calendar.days):
            if birth is not None and day > birth and years_between(birth, day) == age.number:
                return years_between(shift.day(birth), shift.day(day))
        return age.number
