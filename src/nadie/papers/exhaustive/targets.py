"""Annotated spans as cells of the grid of all spans: which cells enter the loss, with which class and weight."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.document import Span
from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import Token

Ints = npt.NDArray[np.int64]


def chunks_of(tokens: Sequence[Token], spans: Iterable[Span]) -> list[Chunk]:
    """The tokens of each span, including nested ones; a span that splits a token takes the whole token."""
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
    """Spans of up to `sizes` tokens cover `share` of the entities that were counted."""

    sizes: int
    share: float


def choose_sizes(chunks: Iterable[Chunk], wanted: float) -> Coverage:
    """The smallest number of sizes that covers at least the share `wanted` of the chunks."""
    counts = Counter(chunk.stop - chunk.first for chunk in chunks)
    total = counts.total()
    covered = 0
    for size in sorted(counts):
        covered += counts[size]
        if covered >= wanted * total:
            return Coverage(size, covered / total)
    return Coverage(1, 1.0)


def coverage_of(chunks: Iterable[Chunk], sizes: int) -> Coverage:
    """The share of the chunks with up to `sizes` tokens."""
    lengths = [chunk.stop - chunk.first for chunk in chunks]
    share = sum(length <= sizes for length in lengths) / len(lengths) if lengths else 1.0
    return Coverage(sizes, share)


@dataclass(frozen=True)
class Targets:
    """`cells` (N,) are indices into the flattened grid (B, T, S), with classes `kinds` (N,) and `weights` (N,)."""

    cells: Ints
    kinds: Ints
    weights: npt.NDArray[np.float32]


@dataclass(frozen=True)
class Sampling:
    """Spans of up to `sizes` tokens; of those that do not overlap an entity, a share `negatives` is drawn."""

    sizes: int
    negatives: float


def targets_of(
    rows: Sequence[Sequence[Chunk]],
    lengths: Ints,
    kinds: Mapping[str, int],
    sampling: Sampling,
    rng: np.random.Generator,
) -> Targets:
    """Every entity, every other span that overlaps one, and a sample of the rest.

    `rows` are the chunks of each sequence, `lengths` (B,) their numbers of tokens, `kinds` the class of each label. A
    sampled span has the weight 1 / negatives, so that the expected loss is that over all spans. Spans that overlap an
    entity are few and easily confused with it, so they are always included.
    """
    tokens, sizes = int(lengths.max()), sampling.sizes
    gold = np.zeros((len(rows), tokens, sizes), dtype=np.int64)
    marked = np.zeros((len(rows), tokens + sizes), dtype=np.int64)
    for row, chunks in enumerate(rows):
        for chunk in chunks:
            marked[row, chunk.first : chunk.stop] = 1
            if chunk.stop - chunk.first <= sizes:
                gold[row, chunk.first, chunk.stop - chunk.first - 1] = kinds[chunk.label]
    ends = np.arange(tokens)[:, None] + np.arange(sizes)  # (T, S): the last token of each span
    before = np.concatenate([np.zeros((len(rows), 1), dtype=np.int64), marked.cumsum(axis=1)], axis=1)
    near = before[:, ends + 1] > before[:, np.arange(tokens), None]  # (B, T, S)
    drawn = rng.random(gold.shape) < sampling.negatives
    chosen = (ends < lengths[:, None, None]) & (near | drawn)
    cells = np.flatnonzero(chosen)
    weights = np.where(near.ravel()[cells], 1.0, 1.0 / sampling.negatives).astype(np.float32)
    return Targets(cells, gold.ravel()[cells], weights)
