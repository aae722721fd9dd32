"""What of the gold spans of a document is still readable in its output."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from nadie.anonymize.engine import Anonymized
from nadie.document import Span

_LEAST_LETTERS = 3


class Leak(NamedTuple):
    """A gold span of which something is readable, and the places of its letters and digits in the output."""

    label: str
    places: frozenset[int]


def leaks(done: Anonymized, gold: Iterable[Span]) -> list[Leak]:
    """The gold spans of which three letters or digits or more are readable; what is kept on purpose is none."""
    text = done.document.text
    moved: list[int | None] = [None] * len(text)
    end = 0
    for item in done.replaced:
        # Where a column keeps its width, blanks are added or removed right after a value.
        moved[end : item.span.start] = range(item.start - (item.span.start - end), item.start)
        end = item.span.end
    moved[end:] = range(len(done.text) - (len(text) - end), len(done.text))
    found = []
    for span in gold:
        places = [moved[at] for at in range(span.start, span.end) if text[at].isalnum()]
        readable = frozenset(place for place in places if place is not None)
        if len(readable) >= _LEAST_LETTERS:
            found.append(Leak(span.label, readable))
    return found
