"""Resolution of overlapping spans into disjoint spans."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, pairwise

from nadie.document import FIELDS, Document, Span


def disjoint(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Keep the spans with the highest scores that do not overlap; among equals the longest, then the left-most.

    Every character that was covered stays covered: the rest of a dropped span, outside the spans that overlap it, keeps
    its own label, because an uncovered character may be a leak.
    """
    given = tuple(spans)
    if all(before.end <= after.start for before, after in pairwise(given)):
        return given
    kept: list[Span] = []  # in text order
    for span in sorted(sorted(given), key=lambda s: (-s.score, -len(s), s.start, s.label)):
        for piece in _remainders(span, _from(kept, span.start)):
            insort(kept, piece, key=_start)
    return tuple(sorted(kept))


def left_most_longest(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Take the longest span at each position from the left, and drop the spans that overlap it."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, -s.score, s.label)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


def with_fields(document: Document, found: Iterable[Span]) -> Iterable[Span]:
    """The spans that come from the structure of the document's file, and the spans found outside them."""
    fields = [span for span in document.spans if span.source in FIELDS]
    if not fields:
        return found
    return (*fields, *outside(document.with_spans(fields), found))


def outside(document: Document, found: Iterable[Span]) -> Iterator[Span]:
    """The parts of the spans found that lie outside the document's own spans, which are disjoint."""
    for span in found:
        for piece in _remainders(span, _from(document.spans, span.start)):
            if (stripped := _stripped(piece, document)) is not None:
                yield stripped


def _from(spans: Sequence[Span], start: int) -> Iterable[Span]:
    """The disjoint, ordered spans that may end after `start`."""
    return islice(spans, max(0, bisect_right(spans, start, key=_start) - 1), None)


def _remainders(span: Span, others: Iterable[Span]) -> list[Span]:
    """The parts of `span` that none of the others covers; the others are in text order."""
    pieces: list[Span] = []
    reached = span.start
    for other in others:
        if other.start >= span.end:
            break
        if other.start > reached:
            pieces.append(replace(span, start=reached, end=other.start))
        reached = max(reached, other.end)
    if reached < span.end:
        pieces.append(replace(span, start=reached))
    return pieces


def _stripped(span: Span, document: Document) -> Span | None:
    """The span without white space at its ends; None if nothing is left."""
    text = document.text_of(span)
    start = span.start + len(text) - len(text.lstrip())
    return replace(span, start=start, end=start + len(text.strip())) if text.strip() else None


def _start(span: Span) -> int:
    return span.start
