"""All patterns."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from itertools import chain

from nadie.detectors.patterns.base import Pattern

_MODULES = {
    "people": ("patient", "staff", "known_name", "relative", "sex", "profession", "group"),
    "documents": ("spain", "latin_america"),
    "care": ("history", "insurance", "licence"),
    "things": ("bank", "vehicle", "device", "other_numbers", "bare_number"),
    "contact": ("internet", "phone"),
    "time": ("numeric_date", "written_date", "year", "age"),
    "places": ("street", "postcode", "territory", "institution"),
}


@cache
def catalog() -> tuple[Pattern, ...]:
    """All patterns of all modules."""
    return tuple(chain.from_iterable(modules()))


def modules(*names: str) -> Iterator[tuple[Pattern, ...]]:
    """The `PATTERNS` of the modules with these names, or of all."""
    every = (f"{folder}.{name}" for folder, names in _MODULES.items() for name in names)
    for name in names or every:
        yield import_module(f"{__package__}.{name}").PATTERNS
