"""The numbers of a written form: its folded word, its n-grams, its shape and the lists that contain it.

A form has one number for its folded word, one for its shape, and any number of n-grams and lists; each number is a row
of a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Self

import numpy as np
import numpy.typing as npt

from nadie.errors import ModelError
from nadie.neural.vocabulary import fold_all

Ints = npt.NDArray[np.int64]
Hashes = npt.NDArray[np.uint64]
NGRAMS = 1 << 15
SHAPES = 128
UNKNOWN = 0
_LONGEST = 26  # characters of a folded form that are used, including its two borders
_SIZES = (3, 4, 5)
_PRIME, _MIX = np.uint32(0x01000193), np.uint32(0x9E3779B1)


@dataclass(frozen=True)
class FormNumbers:
    """The numbers of U forms.

    `ngrams` and `lists` are the numbers of all forms concatenated, and `*_counts` (U,) the count of each form.
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
    """The elements of `values`, which are concatenated by form, that belong to the given forms."""
    begins, own = (np.cumsum(counts) - counts)[forms], counts[forms]
    places = np.arange(int(own.sum())) - np.repeat(np.cumsum(own) - own, own) + np.repeat(begins, own)
    return values[places]


class FormVocabulary:
    """Folded words by their sorted hashes: `rows` (words,) has the row of each in the table of word vectors, or 0 for a
    word without a vector, and `masks` (words,) the lists that contain it.
    """

    def __init__(
        self, hashes: Hashes, rows: npt.NDArray[np.integer], masks: npt.NDArray[np.uint64], lists: Sequence[str]
    ) -> None:
        if not len(hashes) == len(rows) == len(masks) or len(lists) > 64 or (hashes[:-1] >= hashes[1:]).any():
            raise ModelError("the words of the model do not match their lists")
        self.hashes = hashes
        self.rows = rows
        self.masks = masks
        self.lists = tuple(lists)

    @classmethod
    def of(cls, words: Sequence[str], vectors: int, masks: npt.NDArray[np.uint64], lists: Sequence[str]) -> Self:
        """Build a vocabulary of folded words; the first `vectors` of them have rows 1, 2, ..."""
        hashes = hashes_of(words)
        order = np.argsort(hashes)
        rows = np.where(order < vectors, order + 1, UNKNOWN).astype(np.uint32)
        return cls(hashes[order], rows, masks[order], lists)

    def describe(self, forms: Sequence[str]) -> FormNumbers:
        """The numbers of each form."""
        folded = fold_all(forms)
        hashes = hashes_of(folded)
        places = np.searchsorted(self.hashes, hashes)
        known = np.flatnonzero(places < len(self.hashes))
        known = known[self.hashes[places[known]] == hashes[known]]
        words = np.full(len(folded), UNKNOWN, dtype=np.int64)
        words[known] = self.rows[places[known]]
        masks = np.zeros(len(folded), dtype=np.uint64)
        masks[known] = self.masks[places[known]]
        shapes = np.fromiter(map(shape_of, forms), np.int64, len(forms))
        ngrams, ngram_counts = ngrams_of(folded)
        bits = np.unpackbits(masks.astype("<u8").view(np.uint8).reshape(-1, 8), 1, bitorder="little")
        listed, lists = np.nonzero(bits)
        list_counts = np.bincount(listed, minlength=len(folded))
        return FormNumbers(words, shapes, ngrams, ngram_counts, lists, list_counts)


def hashes_of(words: Sequence[str]) -> Hashes:
    """A 64-bit hash of each word: the probability of a collision among a few hundred thousand words is 1e-9."""
    digests = b"".join(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words)
    return np.frombuffer(digests, dtype="<u8")


def ngrams_of(folded: Sequence[str]) -> tuple[Ints, Ints]:
    """The numbers of the n-grams of all words, concatenated, and the count of each word; `<` and `>` are borders."""
    cut = [f"<{word[: _LONGEST - 2]}>" for word in folded]
    text = "".join(cut).encode("utf-32-le", "surrogatepass")
    codes = np.frombuffer(text + bytes(4 * max(_SIZES)), dtype=np.uint32)
    lengths = np.fromiter(map(len, cut), np.int64, len(cut))
    places = len(codes) - max(_SIZES)
    left = np.repeat(np.cumsum(lengths), lengths) - np.arange(places)  # characters up to the end of the word
    found = np.empty((places, len(_SIZES)), dtype=np.uint32)
    for column, size in enumerate(_SIZES):
        hashed = np.full(places, size, dtype=np.uint32)
        for offset in range(size):
            hashed ^= codes[offset : offset + places]
            hashed *= _PRIME
        hashed *= _MIX
        found[:, column] = hashed >> np.uint32(32 - 15)
    counts = np.maximum(lengths[:, None] + 1 - np.array(_SIZES), 0).sum(axis=1)
    return found[left[:, None] >= np.array(_SIZES)].astype(np.int64), counts


def shape_of(form: str) -> int:
    """The index of the shape in `SHAPES`: digits by their number, each sign separately, words by case and length."""
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
