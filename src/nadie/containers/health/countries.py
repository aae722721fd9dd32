"""Countries that are written as codes: read as their names, and written as codes again."""

from __future__ import annotations

from collections.abc import Callable

from nadie.spanish import tables
from nadie.spanish.folding import key_of


def country(value: str) -> tuple[str, Callable[[str], str | None]]:
    """The name of the country that a code of two letters stands for, and the way back; other values as they are."""
    names = {each.code: each.name for each in tables.countries()}
    if value.upper() not in names:
        return value, lambda new: new

    def finish(new: str) -> str | None:
        return tables.country_codes().get(key_of(new), new)

    return names[value.upper()], finish
