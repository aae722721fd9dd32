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
    """One or more texts, T tokens in all: their places in their own text, their written forms, and the white space
    before each, which is none, a space, a line break, an empty line, or several spaces.

    `bounds` (texts + 1,) has the first token of each text, and T.
    """

    starts: Ints
    ends: Ints
    forms: Sequence[str]
    spacing: Ints
    bounds: Ints

    def __len__(self) -> int:
        return len(self.forms)

    @property
    def tokens(self) -> list[Token]:
        return list(map(Token, self.starts.tolist(), self.ends.tolist(), self.forms))


def read(texts: Sequence[str]) -> TextArrays:
    """The arrays of some texts. Equal forms are one string, to limit memory if a text is long."""
    one: dict[str, str] = {}
    gaps: list[str] = []
    forms: list[str] = []
    bounds = [0]
    for text in texts:
        for piece in _pieces(text):
            own_gaps, own_forms = with_gaps(piece)
            gaps += own_gaps
            forms += map(one.setdefault, own_forms, own_forms) if len(text) > _LONG else own_forms
        bounds.append(len(forms))
    lengths = np.fromiter(map(len, forms), np.int64, len(forms))
    ends = np.cumsum(lengths + np.fromiter(map(len, gaps), np.int64, len(gaps)))
    firsts = np.array(bounds)
    before = np.concatenate([[0], ends])[firsts[:-1]]
    ends -= np.repeat(before, np.diff(firsts))
    spacing = spacing_of(gaps)
    spacing[firsts[:-1][firsts[:-1] < firsts[1:]]] = NEW_PARAGRAPH
    return TextArrays(ends - lengths, ends, forms, spacing, firsts)


def _pieces(text: str) -> Iterator[str]:
    """Split a long text before white space, so that tokens and gaps stay the same."""
    begin = 0
    while len(text) - begin > _LONG and (cut := _TOKEN_END.search(text, begin + _LONG)):
        yield text[begin : cut.start()]
        begin = cut.start()
    yield text[begin:]


def spacing_of(gaps: Sequence[str]) -> Ints:
    """The spacing class of each token, from the white space before it."""
    usual = _USUAL_GAPS.get
    return np.array([_spacing(gap) if (known := usual(gap)) is None else known for gap in gaps], dtype=np.int64)


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


def word_places(words: Ints, starts: Sequence[int] = (0,), *, repeated_only: bool = False) -> tuple[Ints, Ints]:
    """Where else the word of each token occurs in its text, from the word numbers (T,) of texts that begin at `starts`.

    Returns (T,) the index of each token's word among the words found here, in the order of their first positions, and
    (words found, PLACES) the first positions of each word; if a word has fewer, its last position is repeated. Index 0,
    with position 0, is for tokens that are not words and, with `repeated_only`, for words that occur once.
    """
    there = np.flatnonzero(words != NO_WORD)
    text = np.searchsorted(np.asarray(starts), there, side="right")
    bits = len(words).bit_length()
    keys = (text * (int(words.max(initial=0)) + 1) + words[there] << bits) + there
    keys.sort()  # by text, word and position; sorting values is faster than sorting indices
    positions = keys & (1 << bits) - 1
    firsts = np.flatnonzero(np.diff(keys >> bits, prepend=-1))
    counts = np.diff(firsts, append=len(keys))
    kept = np.flatnonzero(counts > int(repeated_only))
    kept = kept[np.argsort(positions[firsts[kept]])]
    firsts, counts = firsts[kept], counts[kept]
    places = positions[firsts[:, None] + np.minimum(np.arange(PLACES), counts[:, None] - 1)]
    groups = np.zeros(len(words), dtype=np.int64)
    own = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts - firsts, counts)
    groups[positions[own]] = np.repeat(np.arange(1, len(counts) + 1), counts)
    return groups, np.concatenate([np.zeros((1, PLACES), dtype=np.int64), places])
