"""The field of a profession, so that its surrogate can be a profession of the same field.

The rest of the sentence (an employer, a tool, an accident at work) then seldom contradicts the surrogate.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from nadie.spanish import tables
from nadie.spanish.folding import words_of
from nadie.spanish.word_lists import Lists

_FIELDS = Lists("job_fields", "nadie.surrogates")
_LISTS = Lists("jobs", "nadie.surrogates")
_ALIKE = {"policia": ("agente", "oficial", "cabo")}
_FEWEST = 4
_SOME = {"sport": "teaching", "church": "caring"}  # fields with too few professions to draw from


@cache
def _stems() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Each field with the stems of its words; of several stems the longest counts."""
    stems = ((field, sorted(_FIELDS[field], key=len, reverse=True)) for field in _FIELDS.names())
    return tuple((field, re.compile(rf"\b(?:{'|'.join(ordered)})")) for field, ordered in stems)


@lru_cache(maxsize=4096)
def field_of(profession: str) -> str:
    """The field of a profession, by its first word or by any other; empty if it is unknown."""
    folded = " ".join(words_of(profession))
    found = [(match.start(), -match.end(), field) for field, stem in _stems() if (match := stem.search(folded))]
    return min(found)[2] if found else ""


@cache
def professions_like(profession: str, column: int, *, has_employer: bool = False) -> tuple[str, ...]:
    """The professions of the same field, for men (0) or women (1); if the field is unknown, those of any field."""
    if alike := _ALIKE.get(words_of(profession)[0]):
        return alike
    if has_employer:
        return tuple(row[column] for row in _LISTS.pairs("of any employer"))
    field = field_of(profession)
    field = _SOME.get(field, field)
    names = tuple(row[column] for row in tables.professions() if _LISTS.words("not drawn").isdisjoint(row))
    of_field = tuple(name for name in names if field_of(name) == field) if field else ()
    others = tuple(name for name in of_field if words_of(name)[:1] != words_of(profession)[:1])
    return of_field if len(others) >= _FEWEST else tuple(row[column] for row in _LISTS.pairs("of any field"))
