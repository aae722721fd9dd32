"""Spans that overlap → spans that do not."""

from __future__ import annotations

from collections.abc import Iterable

from nadie.document import Span


def disjoint(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Keep the surest spans that do not overlap; among equals the longest, then the left-most.

    No character that some span covered is given up for it: what a loser covers beyond its winners stays covered,
    under the loser's own label, because an uncovered character may be a leak.
    """
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (-s.score, -len(s), s.start, s.label)):
        kept.extend(_remainders(span, kept))
    return tuple(sorted(kept))


def left_most_longest(spans: Iterable[Span]) -> tuple[Span, ...]:
    """The classic rule: walk from the left, take the longest span at each place, drop what overlaps it."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, -s.score, s.label)):
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return tuple(kept)


def _remainders(span: Span, kept: list[Span]) -> list[Span]:
    """The parts of `span` that no kept span covers."""
    parts = [span]
    for other in kept:
        parts = [piece for part in parts for piece in _minus(part, other)]
    return parts


def _minus(part: Span, other: Span) -> list[Span]:
    if not part.overlaps(other):
        return [part]
    pieces = []
    if part.start < other.start:
        pieces.append(Span(part.start, other.start, part.label, part.score, part.source))
    if other.end < part.end:
        pieces.append(Span(other.end, part.end, part.label, part.score, part.source))
    return pieces
