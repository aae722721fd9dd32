"""Spans ↔ one tag per token, in BIO or BIOES, with an exact way back."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from nadie.document import Span
from nadie.tokens.tokenizer import Token

Scheme = Literal["BIO", "BIOES"]
OUTSIDE = "O"


class Chunk(NamedTuple):
    """Tokens `first` up to, not including, `stop` are one span of type `label`."""

    first: int
    stop: int
    label: str


def encode(tokens: Sequence[Token], spans: Iterable[Span], scheme: Scheme = "BIO") -> list[str]:
    """A tag for each token. A span that cuts through a token takes the whole token; of two that overlap, the first."""
    tags = [OUTSIDE] * len(tokens)
    starts = [token.start for token in tokens]
    ends = [token.end for token in tokens]
    taken = 0
    for span in sorted(spans):
        first = max(bisect_right(ends, span.start), taken)
        stop = bisect_left(starts, span.end)
        if first >= stop:
            continue
        tags[first:stop] = _chunk_tags(span.label, stop - first, scheme)
        taken = stop
    return tags


def decode(tags: Sequence[str]) -> list[Chunk]:
    """The chunks that the tags say, in either scheme; an ill-formed sequence is read as generously as possible."""
    chunks: list[Chunk] = []
    first: int | None = None
    label = ""
    for i, tag in enumerate([*tags, OUTSIDE]):
        prefix, _, name = tag.partition("-")
        if first is not None and (prefix in ("O", "B", "S") or name != label):
            chunks.append(Chunk(first, i, label))
            first = None
        if prefix != "O" and first is None:
            first, label = i, name
        if first is not None and prefix in ("E", "S"):
            chunks.append(Chunk(first, i + 1, label))
            first = None
    return chunks


def tag_set(labels: Iterable[str], scheme: Scheme = "BIO") -> list[str]:
    """Every tag of the scheme, `O` first, in a fixed order."""
    return [OUTSIDE, *(f"{prefix}-{label}" for label in sorted(labels) for prefix in scheme if prefix != "O")]


def allowed_steps(tags: Sequence[str]) -> npt.NDArray[np.bool_]:
    """(K + 1, K + 1): whether tag j may follow tag i; last row: may begin; last column: may end a sequence."""
    closed = any(tag[:2] in ("E-", "S-") for tag in tags)
    steps = np.zeros((len(tags) + 1, len(tags) + 1), dtype=np.bool_)
    for i, before in enumerate([*tags, OUTSIDE]):
        opened = before[:2] in ("B-", "I-")
        for j, after in enumerate([*tags, OUTSIDE]):
            inside = after[:2] in ("I-", "E-")
            steps[i, j] = opened and before[2:] == after[2:] if inside else not (opened and closed)
    return steps


def _chunk_tags(label: str, length: int, scheme: Scheme) -> list[str]:
    if scheme == "BIO":
        return [f"B-{label}"] + [f"I-{label}"] * (length - 1)
    if length == 1:
        return [f"S-{label}"]
    return [f"B-{label}"] + [f"I-{label}"] * (length - 2) + [f"E-{label}"]
