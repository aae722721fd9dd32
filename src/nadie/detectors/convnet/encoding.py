"""A text as the input arrays of the network: its written forms, the white space before each token, and for each form
its word, its n-grams, its shape and the lists that contain it.

A form has one number for its folded word, one for its shape, and any number of n-grams and lists; each number is a row
of a table. The vector of a form is the concatenation of these rows: `[word | mean of n-grams | shape + lists]`. No
matrices are multiplied here, so that the vector of a form does not depend on the other forms of the call.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.vocabulary import fold
from nadie.errors import ModelError
from nadie.tokens.tokenizer import Token, with_gaps

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float32]
Hashes = npt.NDArray[np.uint64]
NGRAMS = 1 << 15
SHAPES = 128
UNKNOWN = 0
_LONGEST = 26  # characters of a folded form that are used, including its two borders
_SIZES = (3, 4, 5)
_PRIME, _MIX = np.uint32(0x01000193), np.uint32(0x9E3779B1)
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
    """A text of T tokens and U written forms.

    `kinds` (T,) has the index of each token's form in `forms`. `spacing` (T,) is the white space before the token:
    none, a space, a line break, an empty line, or several spaces.
    """

    starts: Ints
    ends: Ints
    forms: list[str]
    kinds: Ints
    spacing: Ints

    def __len__(self) -> int:
        return len(self.kinds)

    @property
    def tokens(self) -> list[Token]:
        words = map(self.forms.__getitem__, self.kinds.tolist())
        return list(map(Token, self.starts.tolist(), self.ends.tolist(), words))


def read(text: str) -> TextArrays:
    numbers: dict[str, int] = {}
    spaces: list[str] = []
    kinds, lengths = [], []
    for piece in _pieces(text):
        gaps, words = with_gaps(piece)
        spaces += gaps
        kinds.append(np.array([numbers.setdefault(word, len(numbers)) for word in words], dtype=np.int64))
        lengths.append(np.fromiter(map(len, words), np.int64, len(words)))
    own = lengths[0] if len(lengths) == 1 else np.concatenate(lengths)
    ends = np.cumsum(own + np.fromiter(map(len, spaces), np.int64, len(spaces)))
    of_all = kinds[0] if len(kinds) == 1 else np.concatenate(kinds)
    return TextArrays(ends - own, ends, list(numbers), of_all, spacing_of(spaces))


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
        folded = [fold(form) for form in forms]
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
        bits = (masks[:, None] >> np.arange(len(self.lists), dtype=np.uint64)) & np.uint64(1)
        return FormNumbers(words, shapes, ngrams, ngram_counts, np.nonzero(bits)[1], bits.sum(axis=1).astype(np.int64))


def hashes_of(words: Sequence[str]) -> Hashes:
    """A 64-bit hash of each word: the probability of a collision among a few hundred thousand words is 1e-9."""
    digests = b"".join(blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest() for word in words)
    return np.frombuffer(digests, dtype="<u8")


def ngrams_of(folded: Sequence[str]) -> tuple[Ints, Ints]:
    """The numbers of the n-grams of all words, concatenated, and the count of each word; `<` and `>` are borders."""
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


@dataclass(frozen=True)
class FormTables:
    """The tables: words and n-grams as eight-bit integers with one scale each, shapes and lists as floats."""

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
        sums = _sums(self.ngrams, numbers.ngrams, numbers.ngram_counts, np.int32)
        scale = np.float32(self.ngram_scale) / np.maximum(numbers.ngram_counts, 1).astype(np.float32)
        return np.concatenate(
            [
                self.words[numbers.words] * np.float32(self.word_scale),
                sums.astype(np.float32) * scale[:, None],
                self.shapes[numbers.shapes] + _sums(self.lists, numbers.lists, numbers.list_counts, np.float32),
            ],
            axis=1,
            dtype=np.float32,
        )


def _sums(
    table: npt.NDArray[Any], rows: Ints, counts: Ints, kind: type[np.int32] | type[np.float32]
) -> npt.NDArray[Any]:
    """For each of U forms the sum of its rows; rows are concatenated by form, and a form may have none."""
    total = np.zeros((len(counts), table.shape[1]), dtype=kind)
    some = np.flatnonzero(counts)
    if len(some):
        begins = np.cumsum(counts) - counts
        total[some] = np.add.reduceat(table[rows], begins[some], axis=0, dtype=kind)
    return total
