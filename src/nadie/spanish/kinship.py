"""The words for relatives and people close to the patient, and for men, women and children, folded."""

from __future__ import annotations

from nadie.spanish.word_lists import Lists

_LISTS = Lists("kinship")

RELATIVES = _LISTS.words("relatives")
OTHER_RELATIVES = _LISTS.words("other relatives")
"""Words that mean a relative only in the context of relatives."""
SIDES = _LISTS.words("sides")
"""Words that tell which of several relatives is meant, or from which side of the family."""
UNITS = _LISTS.words("units of age")
KIN_IN_LOWER_CASE = _LISTS.words("in lower case")
"""Relatives in other languages that are names with a capital letter."""
KIN = (
    RELATIVES
    | KIN_IN_LOWER_CASE
    | OTHER_RELATIVES
    | SIDES
    | _LISTS.words("close people")
    | _LISTS.words("beside relatives")
)
"""Words of spans about relatives and people close to the patient that are not names."""

FEMALE = _LISTS.words("female")
MALE = _LISTS.words("male")
"""What forms and notes write for the patient's sex. A lone `M` is *mujer*, as beside *H* in most forms."""
