"""Any day written in the form of an example: 5 July 2021 like `03-ENE-19` is `05-JUL-21`."""

from __future__ import annotations

from datetime import date
from functools import lru_cache

from nadie.spanish.dates.reading import Expression, read
from nadie.surrogates.dates.moving import Moved
from nadie.surrogates.dates.writing import apply, edits


def written_like(example: str, day: date) -> str:
    """The day, or its month, season, year or day of the week, whichever the example is."""
    expression = _read(example)
    moved = Moved(day.year, day.month, day.day, day.weekday(), day.month % 12 // 3)
    changes = edits(example, expression, [moved] * len(expression.atoms))
    if changes is None:
        raise ValueError("the example cannot be written for another day")
    return apply(example, 0, len(example), changes)


@lru_cache(maxsize=1024)
def _read(example: str) -> Expression:
    expression = read(example)
    if expression is None:
        raise ValueError("the example is no date")
    return expression
