"""Annotated spans as cells of the grid of all spans."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from nadie.document import Span
from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import Token


def chunks_of(tokens: Sequence[Token], spans: Iterable[Span]) -> list[Chunk]:
    """The tokens of each span, nested ones too; a span that cuts through a token takes the whole token."""
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    found = []
    for span in sorted(spans):
        first, stop = bisect_right(ends, span.start), bisect_left(starts, span.end)
        if first < stop:
            found.append(Chunk(first, stop, span.label))
    return found


@dataclass(frozen=True)
class Coverage:
    """Spans of up to `sizes` tokens hold `share` of the entities that were counted."""

    sizes: int
    share: float


def choose_sizes(chunks: Iterable[Chunk], wanted: float) -> Coverage:
    """The smallest number of sizes that covers at least `wanted` of the chunks."""
    counts = Counter(chunk.stop - chunk.first for chunk in chunks)
    total = counts.total()
    covered = 0
    for size in sorted(counts):
        covered += counts[size]
        if covered >= wanted * total:
            return Coverage(size, covered / total)
    return Coverage(1, 1.0)


def coverage_of(chunks: Iterable[Chunk], sizes: int) -> Coverage:
    """What spans of up to `sizes` tokens cover."""
    lengths = [chunk.stop - chunk.first for chunk in chunks]
    share = sum(length <= sizes for length in lengths) / len(lengths) if lengths else 1.0
    return Coverage(sizes, share)
