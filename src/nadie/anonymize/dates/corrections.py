"""Dates that need a second interpretation: with letters in place of digits, or with the month first."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from nadie.anonymize.dates.atoms import Atom, Grain

_SCANNED = re.compile(r"(?<![^\W\d_])(?=[lio]*\d)[\dlio]{2,}(?![^\W\d_])")
_FIGURES = str.maketrans("lio", "110")


def as_figures(folded: str) -> str:
    """The folded text with digits in place of letters from OCR errors: `l9`, `2o24`."""
    return _SCANNED.sub(lambda found: found.group().translate(_FIGURES), folded)


def swapped(atom: Atom) -> Atom | None:
    """`12/25/2010`: the month first, if no other reading is possible."""
    if not (atom.says("m") and atom.says("d") and atom.says_year):
        return None
    fields = {**atom.fields, "d": atom.fields["m"], "m": atom.fields["d"]}
    other = replace(atom, month=atom.day, day=atom.month, fields=fields)
    return other if other.is_possible() else None


def month_first(atoms: list[Atom]) -> list[Atom]:
    """`lunes 03/11/2024`: the month first, if only then the day of the week is correct."""
    found = list(atoms)
    for place, (weekday, atom) in enumerate(pairwise(atoms), start=1):
        other, day = swapped(atom), atom.date()
        if weekday.grain is Grain.WEEKDAY and other is not None and day is not None:
            new = other.date()
            if day.weekday() != weekday.place and new is not None and new.weekday() == weekday.place:
                found[place] = other
    return found
