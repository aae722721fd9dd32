"""Events and guidelines whose date everybody knows: a note that speaks of the lockdown was not written in 2017.

They stay in a text whose dates are shifted, and bound the shift.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from nadie.spanish.folding import same_length

_GUIDELINES = re.compile(r"\b(?:gold|gina|esc|ada|kdigo|nice|aha|eular|figo|who|oms|gesida|semfyc|separ) (20\d\d)\b")
_EVENTS = (
    (re.compile(r"\b(?:confinamiento|estado de alarma|covid|sars-cov-2|coronavirus)\b"), 2020),
    (re.compile(r"\bvacuna(?:cion)? (?:contra |frente a )?(?:el |la )?covid"), 2021),
)
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")


def contradicts_event(text: str, years: Iterable[int]) -> bool:
    """Whether a text speaks of an event or a guideline that is later than all its dates."""
    last = max(years, default=0)
    if not last:
        return False
    folded = same_length(text)
    told = [int(match[1]) for match in _GUIDELINES.finditer(folded)]
    told += [year for pattern, year in _EVENTS if pattern.search(folded)]
    return bool(told) and last < max(told)


def years_in(text: str) -> list[int]:
    """The years that a date is written with."""
    return [int(match.group()) for match in _YEAR.finditer(text)]
