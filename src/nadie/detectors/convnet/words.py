"""The words of a text: which tokens are the same word, and where each word occurs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from nadie.neural.vocabulary import fold_all
from nadie.tokens.arrays import Ints

NO_WORD = 0
PLACES = 8
"""The number of occurrences of a word that the memory layer uses."""
_SHORTEST_WORD, _SHORTEST_NUMBER = 3, 5


def word_keys(forms: Sequence[str]) -> Iterator[str]:
    """Keys that are equal for all written forms of one word; empty for forms that are not words."""
    for form, folded in zip(forms, fold_all(forms), strict=True):
        if form.isalpha():
            yield folded if len(form) >= _SHORTEST_WORD else ""
        else:
            yield form if form.isdigit() and len(form) >= _SHORTEST_NUMBER else ""


def word_numbers(forms: Sequence[str]) -> Ints:
    """For each form the index of its word among the words of these forms; `NO_WORD` for forms that are not words."""
    numbers = {"": NO_WORD}
    return np.array([numbers.setdefault(key, len(numbers)) for key in word_keys(forms)], dtype=np.int64)


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


def column_places(columns: Ints, firsts: Ints, starts: Sequence[int] = (0,)) -> tuple[Ints, Ints]:
    """Where the cells of each token's column begin, from its column and the first token of its cell (`table_columns`),
    in the form of `word_places`. A cell whose first token is not among these tokens (-1) has no column.
    """
    begins = np.where(firsts == np.arange(len(firsts)), columns, NO_WORD)
    groups, places = word_places(begins, starts, repeated_only=True)
    return np.where((columns != NO_WORD) & (firsts >= 0), groups[firsts], NO_WORD), places
