"""A text as arrays: the written forms of its tokens, the white space before each, and which tokens repeat a word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.vocabulary import fold
from nadie.tokens.tokenizer import Token, tokenize

Ints = npt.NDArray[np.int64]
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH, APART = range(5)
SPACINGS = 5
NO_GROUP = 0
_SHORTEST_WORD, _SHORTEST_NUMBER = 3, 5


@dataclass(frozen=True)
class Reading:
    """A text of T tokens and U written forms.

    `kinds` (T,) numbers each token's form within `forms`. `spacing` (T,) says what stands before the token: nothing, a
    space, a line break, an empty line, or several spaces. `groups` (T,) is the same for tokens that repeat a word, in
    whatever case and with or without accents; tokens that are no words have the group `NO_GROUP`.
    """

    tokens: list[Token]
    forms: list[str]
    kinds: Ints
    spacing: Ints
    groups: Ints


def read(text: str) -> Reading:
    tokens = tokenize(text)
    numbers: dict[str, int] = {}
    kinds = np.fromiter((numbers.setdefault(token[2], len(numbers)) for token in tokens), np.int64, len(tokens))
    forms = list(numbers)
    return Reading(tokens, forms, kinds, spacing_of(text, tokens), groups_of(forms)[kinds] if forms else kinds)


def spacing_of(text: str, tokens: Sequence[Token]) -> Ints:
    """What stands before each token; the first begins a paragraph."""
    starts = np.fromiter((token[0] for token in tokens), np.int64, len(tokens))
    ends = np.fromiter((token[1] for token in tokens), np.int64, len(tokens))
    before = np.concatenate([[0], ends[:-1]])[: len(tokens)]
    breaks = np.fromiter(_line_breaks(text), np.int64)
    lines = np.searchsorted(breaks, starts) - np.searchsorted(breaks, before)
    gaps = np.minimum(starts - before, 2)
    spacing = np.array([GLUED, SPACED, APART])[gaps]
    spacing = np.where(lines > 0, np.where(lines > 1, NEW_PARAGRAPH, NEW_LINE), spacing)
    spacing[:1] = NEW_PARAGRAPH
    return spacing


def _line_breaks(text: str) -> Iterator[int]:
    place = text.find("\n")
    while place >= 0:
        yield place
        place = text.find("\n", place + 1)


def groups_of(forms: Sequence[str]) -> Ints:
    """For each form the number of its group: equal for forms that are one word in different writings."""
    numbers: dict[str, int] = {}
    groups = np.zeros(len(forms), dtype=np.int64)
    for i, form in enumerate(forms):
        if (form.isalpha() and len(form) >= _SHORTEST_WORD) or (form.isdigit() and len(form) >= _SHORTEST_NUMBER):
            key = form if form.isdigit() else fold(form)
            groups[i] = numbers.setdefault(key, len(numbers) + 1)
    return groups
