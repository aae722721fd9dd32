"""Texts as arrays: encoding, windows, and batches."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from nadie.neural.config import TokenSource, WindowSizes
from nadie.neural.vocabulary import Forms
from nadie.tokens.sentences import split_sentences
from nadie.tokens.spacy_tokens import spacy_tokens
from nadie.tokens.tokenizer import Token, with_gaps

Ints = npt.NDArray[np.int64]
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH = range(4)
SPACINGS = 4


@dataclass(frozen=True)
class EncodedText:
    """A text as input of the networks.

    `kinds` (T,) has the index of each token's written form in `forms`; `spacing` (T,) is the white space before the
    token: none, a space, a line break, an empty line. `breaks` are the first tokens of sentences.
    """

    tokens: list[Token]
    forms: list[str]
    kinds: Ints
    spacing: Ints
    breaks: list[int]


def encode(text: str, source: TokenSource = "nadie") -> EncodedText:
    """Tokens, their written forms, and the white space between them."""
    if source == "spacy":
        tokens, sentences = spacy_tokens(text)
        words: Sequence[str] = [token.text for token in tokens]
        gaps: Sequence[str] = [text[a:b] for a, b in zip([0, *(t.end for t in tokens)], (t.start for t in tokens))]  # noqa: B905
    else:
        gaps, words = with_gaps(text)
        edges = list(accumulate(map(len, chain.from_iterable(zip(gaps, words, strict=True)))))
        tokens = list(map(Token, edges[::2], edges[1::2], words))
        sentences = split_sentences(text, tokens)
    numbers: dict[str, int] = {}
    kinds = np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64)
    spacing = np.array([_spacing(gap) for gap in gaps], dtype=np.int64)
    spacing[:1] = NEW_PARAGRAPH
    return EncodedText(tokens, list(numbers), kinds, spacing, [sentence.first for sentence in sentences])


def _spacing(gap: str) -> int:
    if not gap:
        return GLUED
    lines = gap.count("\n")
    return SPACED if lines == 0 else NEW_LINE if lines == 1 else NEW_PARAGRAPH


def units_of(encoded: EncodedText, reading: WindowSizes) -> list[tuple[int, int]]:
    """The ranges of tokens that are sequences of their own: sentences or lines; the whole text if these are windows."""
    total = len(encoded.tokens)
    starts = encoded.breaks
    if reading.unit == "line":
        starts = np.flatnonzero(encoded.spacing >= NEW_LINE).tolist()
    elif reading.unit == "window":
        starts = [0][:total]
    return list(zip(starts, [*starts[1:], total], strict=True)) if total else []


class Window(NamedTuple):
    """The network reads tokens `first` to `stop`; only the outputs for `begin` to `end` are used (ends exclusive)."""

    first: int
    begin: int
    end: int
    stop: int


def windows_of(encoded: EncodedText, reading: WindowSizes) -> list[Window]:
    """What the network reads of a text: overlapping windows, or sentences or lines alone."""
    if reading.unit == "window":
        return reading_windows(len(encoded.tokens), encoded.breaks, reading.window, reading.margin)
    return [Window(first, first, stop, stop) for first, stop in units_of(encoded, reading)]


def reading_windows(tokens: int, breaks: Sequence[int], size: int, context: int) -> list[Window]:
    """Windows of at most `size` tokens whose inner parts together are the whole sequence.

    If possible an inner part ends at one of `breaks` (the first tokens of sentences, in order). Decoding runs over the
    whole sequence, so that a window border inside an entity does not split it.
    """
    core = size - 2 * context
    if core < 1:
        raise ValueError(f"a window of {size} tokens is too small for {context} tokens of context on either side")
    windows: list[Window] = []
    begin = 0
    while begin < tokens:
        end = _last_break(breaks, begin, min(begin + core, tokens), tokens)
        windows.append(Window(max(0, begin - context), begin, end, min(tokens, end + context)))
        begin = end
    return windows


def training_windows(starts: Sequence[int], tokens: int, size: int, first: int) -> list[tuple[int, int]]:
    """Ranges of at most `size` tokens that together contain every token once; the first has at most `first`.

    They begin only at `starts`: positions, in order and beginning with 0, where neither a sentence nor an entity is
    split. If a range of `size` tokens has no such position, it becomes one longer window.
    """
    ranges: list[tuple[int, int]] = []
    begin, room = 0, first
    while begin < tokens:
        end = _last_break(starts, begin, min(begin + room, tokens), tokens, hard=False)
        ranges.append((begin, end))
        begin, room = end, size
    return ranges


def _last_break(breaks: Sequence[int], begin: int, limit: int, tokens: int, *, hard: bool = True) -> int:
    """The last break after `begin` and not after `limit`; else `limit` itself or the next break after it."""
    if limit >= tokens:
        return tokens
    place = bisect_right(breaks, limit)
    if place > 0 and breaks[place - 1] > begin:
        return breaks[place - 1]
    if hard:
        return limit
    return breaks[place] if place < len(breaks) else tokens


@dataclass(frozen=True)
class Batch:
    """The input of a network. Each distinct form is described once, and each token has the index of its form.

    forms: U of them; kinds (B, T) into U, spacing (B, T), lengths (B,).
    """

    forms: Forms
    kinds: Ints
    spacing: Ints
    lengths: Ints

    def inputs(self) -> Mapping[str, npt.NDArray[Any]]:
        return {
            "words": self.forms.words,
            "characters": self.forms.characters,
            "character_lengths": self.forms.lengths,
            "lists": self.forms.lists,
            "clusters": self.forms.clusters,
            "kinds": self.kinds,
            "spacing": self.spacing,
            "lengths": self.lengths,
        }


def collate(rows: Sequence[tuple[Ints, Ints]], forms: Forms) -> Batch:
    """Rows of (kinds, spacing), whose kinds are indices into `forms`, as one padded batch."""
    lengths = np.array([len(kinds) for kinds, _ in rows], dtype=np.int64)
    used, where = np.unique(np.concatenate([kinds for kinds, _ in rows]), return_inverse=True)
    kinds = np.zeros((len(rows), int(lengths.max())), dtype=np.int64)
    spacing = np.zeros_like(kinds)
    begin = 0
    for row, (_, gaps) in enumerate(rows):
        kinds[row, : len(gaps)] = where[begin : begin + len(gaps)]
        spacing[row, : len(gaps)] = gaps
        begin += len(gaps)
    return Batch(forms.take(used), kinds, spacing, lengths)
