"""Documents as arrays: the first two of the four steps, `encode` and `collate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.vocabulary import Forms
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import Token, tokenize

Ints = npt.NDArray[np.int64]
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH = range(4)
SPACINGS = 4


@dataclass(frozen=True)
class Encoded:
    """A text as the networks see it.

    `kinds` (T,) numbers each token's written form within `forms`; `spacing` (T,) says what stands before the token:
    nothing, a space, a line break, an empty line. `breaks` are the first tokens of sentences.
    """

    tokens: list[Token]
    forms: list[str]
    kinds: Ints
    spacing: Ints
    breaks: list[int]


def encode(text: str) -> Encoded:
    """Tokens, their written forms, and the white space between them."""
    tokens = tokenize(text)
    numbers: dict[str, int] = {}
    kinds = np.fromiter((numbers.setdefault(t.text, len(numbers)) for t in tokens), np.int64, len(tokens))
    spacing = np.empty(len(tokens), dtype=np.int64)
    last = 0
    for i, token in enumerate(tokens):
        spacing[i] = _spacing(text, last, token.start) if i else NEW_PARAGRAPH
        last = token.end
    breaks = [sentence.first for sentence in split_sentences(text, tokens)]
    return Encoded(tokens, list(numbers), kinds, spacing, breaks)


def _spacing(text: str, end: int, start: int) -> int:
    if end == start:
        return GLUED
    lines = text.count("\n", end, start)
    return SPACED if lines == 0 else NEW_LINE if lines == 1 else NEW_PARAGRAPH


@dataclass(frozen=True)
class Batch:
    """What a network takes. Distinct forms are described once, and each token points at its form.

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
    """Rows of (kinds, spacing), whose kinds point into `forms`, as one padded batch."""
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
