"""Spans that overlap → spans that do not."""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import replace
from itertools import islice

from nadie.document import FIELD, Document, Span


def disjoint(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Keep the surest spans that do not overlap; among equals the longest, then the left-most.

    No character that some span covered is given up for it: what a loser covers beyond its winners stays covered,
    under the loser's own label, because an uncovered character may be a leak.
    """
    kept: list[Span] = []  # in the order of the text
    for span in sorted(spans, key=lambda s: (-s.score, -len(s), s.start, s.label)):
        at = max(0, bisect_right(kept, span.start, key=_start) - 1)
        for piece in _remainders(span, islice(kept, at, None)):
            insort(kept, piece, key=_start)
    return tuple(sorted(kept))


def left_most_longest(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The classic rule: walk from the left, take the longest span at each place, drop what overlaps it."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, -s.score, s.label)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


def with_fields(document: Document, found: Iterable[Span]) -> Iterable[Span]:
    """The spans that the structure of a file gave the document, and what was found beside them."""
    fields = [span for span in document.spans if span.source == FIELD]
    if not fields:
        return found
    pieces = (piece for span in found for piece in _remainders(span, fields))
    return (*fields, *(piece for piece in pieces if document.text_of(piece).strip()))


def _remainders(span: Span, others: Iterable[Span]) -> list[Span]:
    """The parts of `span` that none of the others, which come in the order of the text, covers."""
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


def _start(span: Span) -> int:
    return span.start
