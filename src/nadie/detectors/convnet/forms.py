"""What the network knows of a written form: its word, its n-grams, its shape and the lists that name it.

A form has one number for its folded word, one for its shape, and any number of n-grams and lists; each number is a row
of a table. The vector of a form is the rows of its numbers side by side: `[word | mean of n-grams | shape + lists]`.
Nothing here multiplies matrices, so that the vector of a form is the same whatever other forms are described with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.vocabulary import fold
from nadie.errors import ModelError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
NGRAMS = 1 << 15
SHAPES = 128
UNKNOWN = 0
_LONGEST = 26  # characters of a folded form that are looked at, its two borders included
_SIZES = (3, 4, 5)
_PRIME, _MIX = np.uint32(0x01000193), np.uint32(0x9E3779B1)


@dataclass(frozen=True)
class FormNumbers:
    """Numbers of U forms.

    `ngrams` and `lists` hold those of all forms end to end, and `*_counts` (U,) how many each form has.
    """

    words: Ints
    shapes: Ints
    ngrams: Ints
    ngram_counts: Ints
    lists: Ints
    list_counts: Ints

    def take(self, forms: Ints) -> FormNumbers:
        """The numbers of some of the forms."""
        return FormNumbers(
            self.words[forms],
            self.shapes[forms],
            _taken(self.ngrams, self.ngram_counts, forms),
            self.ngram_counts[forms],
            _taken(self.lists, self.list_counts, forms),
            self.list_counts[forms],
        )


def _taken(values: Ints, counts: Ints, forms: Ints) -> Ints:
    """Of `values`, which stand end to end, those of some forms."""
    begins, own = (np.cumsum(counts) - counts)[forms], counts[forms]
    places = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own) + np.repeat(begins, own)
    return values[places]


class FormVocabulary:
    """Folded words. The first `vectors` of them have a row of their own; `masks` (words,) tell which lists name each.

    Word row 0 is for every word without a row; row i + 1 belongs to `words[i]`.
    """

    def __init__(self, words: Sequence[str], vectors: int, masks: npt.NDArray[np.uint64], lists: Sequence[str]) -> None:
        if len(masks) != len(words) or vectors > len(words) or len(lists) > 64:
            raise ModelError("the words of the model do not fit their lists")
        self.words = tuple(words)
        self.lists = tuple(lists)
        self.vectors = vectors
        self.masks = masks
        self._numbers = {word: number for number, word in enumerate(self.words)}

    def describe(self, forms: Sequence[str]) -> FormNumbers:
        """The numbers of each form."""
        folded = [fold(form) for form in forms]
        places = np.fromiter((self._numbers.get(word, -1) for word in folded), np.int64, len(folded))
        words = np.where((places >= 0) & (places < self.vectors), places + 1, UNKNOWN)
        shapes = np.fromiter(map(shape_of, forms), np.int64, len(forms))
        ngrams, ngram_counts = ngrams_of(folded)
        masks = np.append(self.masks, np.uint64(0))[places]  # the last one for words that are not known
        bits = (masks[:, None] >> np.arange(len(self.lists), dtype=np.uint64)) & np.uint64(1)
        return FormNumbers(words, shapes, ngrams, ngram_counts, np.nonzero(bits)[1], bits.sum(axis=1).astype(np.int64))


def ngrams_of(folded: Sequence[str]) -> tuple[Ints, Ints]:
    """The numbers of the n-grams of all words end to end, and how many each word has; `<` and `>` mark its borders."""
    cut = [f"<{word[: _LONGEST - 2]}>" for word in folded]
    codes = np.array(cut, dtype=f"U{_LONGEST}").view(np.uint32).reshape(len(cut), _LONGEST)
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    found, inside = [], []
    for size in _SIZES:
        starts = _LONGEST - size + 1
        hashed = np.full((len(cut), starts), size, dtype=np.uint32)
        for offset in range(size):
            hashed = (hashed ^ codes[:, offset : offset + starts]) * _PRIME
        hashed *= _MIX
        found.append(hashed >> np.uint32(32 - 15))
        inside.append(np.arange(starts) + size <= lengths[:, None])
    kept = np.concatenate(inside, axis=1)
    return np.concatenate(found, axis=1)[kept].astype(np.int64), kept.sum(axis=1)


def shape_of(form: str) -> int:
    """Which of `SHAPES` a form has: digits by their number, signs each by itself, words by their case and length."""
    if form.isdigit():
        return min(len(form), 12)
    if not form[:1].isalpha():
        return 13 + ord(form[:1] or " ") % 67
    if form.islower():
        case = 0
    elif len(form) == 1:
        case = 3
    elif form.isupper():
        case = 1
    else:
        case = 2 if form[1:].islower() else 4
    return 80 + case * 8 + min(len(form) - 1, 7)


@dataclass(frozen=True)
class FormTables:
    """The rows: words and n-grams in eight bits with one scale each, shapes and lists as they are."""

    words: npt.NDArray[np.int8]  # (vectors + 1, D)
    ngrams: npt.NDArray[np.int8]  # (NGRAMS, E)
    shapes: Floats  # (SHAPES, F)
    lists: Floats  # (lists, F)
    word_scale: float
    ngram_scale: float

    @property
    def width(self) -> int:
        return int(self.words.shape[1] + self.ngrams.shape[1] + self.shapes.shape[1])

    def vectors(self, numbers: FormNumbers) -> Floats:
        """(U, width)."""
        sums = _sums(self.ngrams.astype(np.int32, copy=False), numbers.ngrams, numbers.ngram_counts)
        scale = np.float32(self.ngram_scale) / np.maximum(numbers.ngram_counts, 1).astype(np.float32)
        return np.concatenate(
            [
                self.words[numbers.words] * np.float32(self.word_scale),
                sums.astype(np.float32) * scale[:, None],
                self.shapes[numbers.shapes] + _sums(self.lists, numbers.lists, numbers.list_counts),
            ],
            axis=1,
            dtype=np.float32,
        )


def _sums(table: npt.NDArray[Any], rows: Ints, counts: Ints) -> npt.NDArray[Any]:
    """For each of U forms the sum of its rows; rows stand end to end, and a form may have none."""
    total = np.zeros((len(counts), table.shape[1]), dtype=table.dtype)
    some = np.flatnonzero(counts)
    if len(some):
        begins = np.cumsum(counts) - counts
        total[some] = np.add.reduceat(table[rows], begins[some], axis=0)
    return total
