"""Changes of spans, and the merging of a change made on an older version into a newer one.

Two people may work on one document. Changes in different places are merged; changes in the same place are a conflict.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from nadie.document import Document, Span
from nadie.errors import SpanError


@dataclass(frozen=True, slots=True)
class Change:
    """Spans to remove from and to add to the document with that id, based on that version of it.

    `state` is the state after the change, if that version still is the latest.
    """

    document: int
    version: int
    remove: tuple[Span, ...] = ()
    add: tuple[Span, ...] = ()
    state: str | None = None


class ConflictError(Exception):
    """A change that cannot be applied to the current spans."""

    def __init__(
        self, version: int, places: Sequence[tuple[int, int]], document: int = 0, seen: int | None = None
    ) -> None:
        self.version = version
        self.document = document
        self.seen = version if seen is None else seen
        self.places = tuple(sorted(set(places)))
        super().__init__(f"{len(self.places)} places were changed in between")


def merged(current: Iterable[Span], change: Change, version: int) -> tuple[Span, ...]:
    """The spans after the change; `version` is their current version.

    A span to remove must exist, unless another change had the same result; a span to add must not overlap one that
    stays.
    """
    here = set(current)
    stays = here - set(change.remove)
    gone = [span for span in change.remove if span not in here]
    conflicts = [span for span in gone if _touching(span, here) != _touching(span, change.add)]
    conflicts += [span for span in change.add if _touching(span, stays) - {span}]
    if conflicts:
        places = [(span.start, span.end) for span in conflicts]
        raise ConflictError(version, places, change.document, change.version)
    # A span that exists and is also added takes the new score and source.
    return tuple(sorted((stays - set(change.add)) | set(change.add)))


def _touching(span: Span, others: Iterable[Span]) -> set[Span]:
    return {other for other in others if other.overlaps(span)}


def checked_spans(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans in order, or `SpanError` if one exceeds the text or two overlap."""
    ordered = Document("", text, tuple(spans)).spans
    for span, following in pairwise(ordered):
        if span.overlaps(following):
            raise SpanError(f"spans overlap at {following.start}")
    return ordered
