"""Placing incomplete dates by the other dates of a document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from nadie.spanish.dates.atoms import Atom
from nadie.spanish.dates.reading import Expression
from nadie.surrogates.dates.moving import Surroundings, located

_NEARER = 2  # times


def nearest_day(days: Sequence[tuple[int, date]], start: int, text: str) -> date | None:
    """The day by which a bare number is placed: the last one before it, or the next one if that is much nearer."""
    place = bisect_right(days, (start, date.max))
    if not place or place == len(days):
        return days[max(0, place - 1)][1] if days else None
    (before, earlier), (after, later) = days[place - 1 : place + 1]
    is_nearer = _NEARER * (after - start) < start - before and "\n" not in text[start:after]
    return later if is_nearer else earlier


def all_located(atoms: tuple[Atom, ...], around: Surroundings) -> list[Atom]:
    """All atoms with years, computed from the last to the first, so that a range over New Year keeps its order."""
    found: list[Atom] = []
    for atom in reversed(atoms):
        new = located(atom, around)
        if found and atom.year is None and atom.month is not None and found[0].is_assumed and found[0].month:
            later = found[0].year
            new = replace(new, year=later and later - int(atom.month > found[0].month))
        found.insert(0, new)
    return found


def not_after(last: int, expression: Expression) -> Expression:
    """The expression, with years of two digits in the century before if they are after the year `last`."""
    return replace(
        expression,
        atoms=tuple(
            replace(atom, year=atom.year - 100) if atom.says("yy", "six") and atom.year and atom.year > last else atom
            for atom in expression.atoms
        ),
    )
