"""A text as the input of the network: its tokens, the white space before each, and where its words occur again."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.vocabulary import fold
from nadie.tokens.tokenizer import Token, with_gaps

Ints = npt.NDArray[np.int64]
GLUED, SPACED, NEW_LINE, NEW_PARAGRAPH, APART = range(5)
SPACINGS = 5
NO_WORD = 0
PLACES = 8
"""The number of occurrences of a word that the memory layer uses."""
_SHORTEST_WORD, _SHORTEST_NUMBER = 3, 5
_LONG = 1 << 18
_TOKEN_END = re.compile(r"(?<=\S)\s")
_USUAL_GAPS = {"": GLUED, " ": SPACED, "\n": NEW_LINE, "\n\n": NEW_PARAGRAPH}


@dataclass(frozen=True)
class TextArrays:
    """A text of T tokens: their written forms, and the white space before each, which is none, a space, a line break,
    an empty line, or several spaces.
    """

    starts: Ints
    ends: Ints
    forms: Sequence[str]
    spacing: Ints

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def tokens(self) -> list[Token]:
        return list(map(Token, self.starts.tolist(), self.ends.tolist(), self.forms))


def read(text: str) -> TextArrays:
    """The arrays of a text. In a long text, equal forms are one string, to limit memory."""
    if len(text) <= _LONG:
        gaps, forms = with_gaps(text)
        return _arrays(gaps, forms)
    one: dict[str, str] = {}
    every_gap: list[str] = []
    every_form: list[str] = []
    for piece in _pieces(text):
        gaps, forms = with_gaps(piece)
        every_gap += map(one.setdefault, gaps, gaps)
        every_form += map(one.setdefault, forms, forms)
    return _arrays(every_gap, every_form)


def _arrays(gaps: Sequence[str], forms: Sequence[str]) -> TextArrays:
    lengths = np.fromiter(map(len, forms), np.int64, len(forms))
    ends = np.cumsum(lengths + np.fromiter(map(len, gaps), np.int64, len(gaps)))
    return TextArrays(ends - lengths, ends, forms, spacing_of(gaps))


def _pieces(text: str) -> Iterator[str]:
    """Split a long text before white space, so that tokens and gaps stay the same."""
    begin = 0
    while len(text) - begin > _LONG and (cut := _TOKEN_END.search(text, begin + _LONG)):
        yield text[begin : cut.start()]
        begin = cut.start()
    yield text[begin:]


def spacing_of(gaps: Sequence[str]) -> Ints:
    """The spacing class of each token, from the white space before it; the first token begins a paragraph."""
    usual = _USUAL_GAPS.get
    spacing = [_spacing(gap) if (known := usual(gap)) is None else known for gap in gaps]
    spacing[:1] = [NEW_PARAGRAPH] * len(spacing[:1])
    return np.array(spacing, dtype=np.int64)


def _spacing(gap: str) -> int:
    lines = gap.count("\n")
    if lines:
        return NEW_PARAGRAPH if lines > 1 else NEW_LINE
    return SPACED if len(gap) == 1 else APART


def word_key(form: str) -> str:
    """A key that is equal for all written forms of one word; empty for forms that are not words."""
    if form.isalpha():
        return fold(form) if len(form) >= _SHORTEST_WORD else ""
    return form if form.isdigit() and len(form) >= _SHORTEST_NUMBER else ""


def word_numbers(forms: Iterable[str]) -> Ints:
    """For each form the index of its word among the words of these forms; `NO_WORD` for forms that are not words."""
    numbers = {"": NO_WORD}
    return np.array([numbers.setdefault(word_key(form), len(numbers)) for form in forms], dtype=np.int64)


def word_places(words: Ints, *, repeated_only: bool = False) -> tuple[Ints, Ints]:
    """Where else the word of each token occurs, from the word numbers (T,).

    Returns (T,) the index of each token's word among the words found here, and (words found, PLACES) the first
    positions of each word; if a word has fewer, its last position is repeated. Index 0, with position 0, is for tokens
    that are not words and, with `repeated_only`, for words that occur once.
    """
    order = np.argsort(words, kind="stable")
    ordered = words[order]
    firsts = np.flatnonzero(np.diff(ordered, prepend=-1))
    counts = np.diff(firsts, append=len(words))
    kept = (ordered[firsts] != NO_WORD) & (counts > int(repeated_only))
    groups = np.empty(len(words), dtype=np.int64)
    groups[order] = np.repeat(np.where(kept, np.cumsum(kept), NO_WORD), counts)
    wanted = firsts[kept][:, None] + np.minimum(np.arange(PLACES), counts[kept][:, None] - 1)
    return groups, np.concatenate([np.zeros((1, PLACES), dtype=np.int64), order[wanted]])
