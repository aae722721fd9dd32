"""Numbers whose check digits hold, as a net below every model, which may overlook one among code or data."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain

from nadie.detectors.patterns.base import Pattern
from nadie.detectors.patterns.catalog import modules
from nadie.detectors.patterns.countries import foreign
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import Shape
from nadie.document import Document, Span

_VALID = 0.5
# The only modules with check digits: loading all patterns takes longer than annotating a hundred notes.
_MODULES = (
    *("documents.spain", "documents.latin_america", "care.insurance"),
    *("things.bank", "things.vehicle", "things.other_numbers", "contact.internet"),
)


def verified(document: Document, countries: tuple[str, ...] = ()) -> Iterator[Span]:
    """The identity documents, bank accounts, cards and insurance numbers with valid check digits.

    With `countries`, numbers that only other countries have are left out.
    """
    note = PlainText.of(document.text)
    return (span for pattern in _with_check_digits(countries) for span in pattern.find(note) if span.score >= _VALID)


@cache
def _with_check_digits(countries: tuple[str, ...]) -> tuple[Pattern, ...]:
    patterns, others = chain.from_iterable(modules(*_MODULES)), foreign(countries)
    checked = (pattern for pattern in patterns if isinstance(pattern, Shape) and pattern.checksum)
    return tuple(pattern for pattern in checked if pattern.name not in others)
