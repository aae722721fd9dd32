"""Country codes: converted to names, and back to codes."""

from __future__ import annotations

from collections.abc import Callable

from nadie.spanish import tables
from nadie.spanish.folding import key_of


def country(value: str) -> tuple[str, Callable[[str], str | None]]:
    """The name of the country with a two-letter code, and the conversion back; other values are not changed."""
    names = {each.code: each.name for each in tables.countries()}
    if value.upper() not in names:
        return value, lambda new: new

    def finish(new: str) -> str | None:
        return tables.country_codes().get(key_of(new), new)

    return names[value.upper()], finish
