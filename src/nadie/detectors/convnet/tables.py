"""The vectors of written forms: rows of tables, put through the first layer of the network, and cached.

The rows of a form are concatenated as `[word | mean of n-grams | shape + lists]`, and the first layer is linear. It is
part of the tables, not of the ONNX file, so that it is computed once for a form and not in every note.
"""

from __future__ import annotations

import io
import threading
import zipfile
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from nadie.detectors.convnet.forms import FormNumbers, FormVocabulary, Ints
from nadie.detectors.convnet.words import NO_WORD, word_keys
from nadie.errors import ModelError

Floats = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
TABLES = "tables.npz"
_COMPRESSED = frozenset({"rows", "masks_of_words"})
_CACHED = 1 << 16
_BITS = 30


@dataclass(frozen=True)
class FormTables:
    """The tables: words and n-grams as eight-bit integers with one scale each, shapes and lists as floats; and the
    weights of the first layer.

    The vector of a form must not depend on the other forms of the call, but BLAS adds the terms of a product in an
    order that depends on the sizes of the matrices. So the weights are rounded to integers of 30 bits, with one scale
    for all: the sums of their products with sums of eight-bit integers are below 2**53 and exact in any order.
    """

    words: npt.NDArray[np.int8]  # (vectors + 1, D)
    ngrams: npt.NDArray[np.int8]  # (NGRAMS, E)
    shapes: Floats  # (SHAPES, F)
    lists: Floats  # (lists, F)
    word_scale: float
    ngram_scale: float
    entry: Floats  # (D + E + F, width)
    entry_bias: Floats  # (width,)

    def vectors(self, numbers: FormNumbers) -> Floats:
        """(U, width)."""
        of_words, of_ngrams, of_shapes, of_lists, scale = self._entered
        words = self.words[numbers.words].astype(np.float64) @ of_words
        ngrams = _sums(self.ngrams, numbers.ngrams, numbers.ngram_counts, np.int16).astype(np.float64) @ of_ngrams
        share = (scale * self.ngram_scale / np.maximum(numbers.ngram_counts, 1)).astype(np.float32)
        total: Floats = words.astype(np.float32) * np.float32(scale * self.word_scale)
        total += ngrams.astype(np.float32) * share[:, None]
        total += of_shapes[numbers.shapes]
        total += _sums(of_lists, numbers.lists, numbers.list_counts, np.float32)
        return total

    @cached_property
    def _entered(self) -> tuple[Doubles, Doubles, Floats, Floats, float]:
        """The integer weights for words and n-grams, the first layer's output for shapes and lists, and the scale."""
        exponent = int(np.frexp(np.abs(self.entry).max(initial=0.0))[1]) - _BITS
        of_words, of_ngrams, others = np.split(
            self.entry.astype(np.float64), np.cumsum([self.words.shape[1], self.ngrams.shape[1]])
        )
        of_shapes, of_lists = (
            np.einsum("ij,jk->ik", table.astype(np.float64), others) for table in (self.shapes, self.lists)
        )
        whole = (np.rint(np.ldexp(weights, -exponent)) for weights in (of_words, of_ngrams))
        shapes = (of_shapes + self.entry_bias).astype(np.float32)
        return (*whole, shapes, of_lists.astype(np.float32), 2.0**exponent)


def _sums(
    table: npt.NDArray[Any], rows: Ints, counts: Ints, kind: type[np.int16] | type[np.float32]
) -> npt.NDArray[Any]:
    """For each of U forms the sum of its rows; rows are concatenated by form, and a form may have none.

    The first rows of all forms are added, then the second rows of those that have two, and so on: `np.add.reduceat`
    takes seven times as long.
    """
    total = np.zeros((len(counts), table.shape[1]), dtype=kind)
    order = np.argsort(-counts, kind="stable")
    begins = (np.cumsum(counts) - counts)[order]
    descending = -counts[order]
    for number in range(int(counts.max(initial=0))):
        some = int(np.searchsorted(descending, -number))
        total[:some] += table.take(rows[begins[:some] + number], axis=0)
    found = np.empty_like(total)
    found[order] = total
    return found


class FormVectors:
    """The vectors of written forms and the numbers of their words; all written forms of one word have the same number.

    Results are cached for some tens of thousands of forms. Thread-safe.
    """

    def __init__(self, vocabulary: FormVocabulary, tables: FormTables) -> None:
        self._vocabulary = vocabulary
        self._tables = tables
        self._lock = threading.Lock()
        self._clear()

    def _clear(self, forms: int = 0) -> None:
        """Empty the cache and allocate it for at least so many forms; pages that are never written cost no memory."""
        self._rows = _numbering()
        self._numbers = _numbering()
        self._numbers[""] = NO_WORD
        room = max(_CACHED, forms)
        self._table = np.empty((room, len(self._tables.entry_bias)), dtype=np.float32)
        self._words = np.empty(room, dtype=np.int64)

    def __call__(self, forms: Sequence[str]) -> tuple[Ints, Floats, Ints]:
        """The row of each form in two tables: (rows, width) the vectors, and (rows,) the numbers of the words.

        Tables are replaced when they might become too full, but the rows in them are never changed.
        """
        with self._lock:
            known = len(self._rows)
            if known + len(forms) > len(self._table):
                known = 0
                self._clear(len(forms))
            rows = np.fromiter(map(self._rows.__getitem__, forms), np.int64, len(forms))
            if len(self._rows) > known:
                try:
                    self._add(known)
                except BaseException:
                    self._clear()  # which would keep forms without vectors
                    raise
            return rows, self._table, self._words

    def _add(self, known: int) -> None:
        """Compute the vectors and words of the forms that have rows from `known` on."""
        total = len(self._rows)
        new = list(islice(reversed(self._rows), total - known))[::-1]
        self._table[known:total] = self._tables.vectors(self._vocabulary.describe(new))
        self._words[known:total] = list(map(self._numbers.__getitem__, word_keys(new)))


def _numbering() -> defaultdict[str, int]:
    """Strings numbered in the order in which they are first looked up."""
    numbers: defaultdict[str, int] = defaultdict()
    numbers.default_factory = numbers.__len__
    return numbers


def write_tables(vocabulary: FormVocabulary, tables: FormTables) -> dict[str, bytes]:
    masks, of_words = np.unique(vocabulary.masks, return_inverse=True)
    arrays: dict[str, npt.NDArray[Any]] = {
        "words": tables.words,
        "ngrams": tables.ngrams,
        "shapes": tables.shapes.astype(np.float16),
        "lists": tables.lists.astype(np.float16),
        "scales": np.array([tables.word_scale, tables.ngram_scale], dtype=np.float64),
        "entry": tables.entry,
        "entry_bias": tables.entry_bias,
        "hashes": vocabulary.hashes,
        "rows": vocabulary.rows.astype(np.min_scalar_type(len(tables.words))),
        "masks": masks.astype(np.uint64),
        "masks_of_words": of_words.astype(np.min_scalar_type(len(masks))),
        "list_names": np.array(vocabulary.lists),
    }
    return {TABLES: _archive(arrays)}


def _archive(arrays: Mapping[str, npt.NDArray[Any]]) -> bytes:
    """A file that numpy reads; only what becomes much smaller is compressed, because reading it takes time."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            content = io.BytesIO()
            np.lib.format.write_array(content, array, allow_pickle=False)
            packing = zipfile.ZIP_DEFLATED if name in _COMPRESSED else zipfile.ZIP_STORED
            archive.writestr(zipfile.ZipInfo(f"{name}.npy"), content.getvalue(), packing)
    return file.getvalue()


def read_tables(files: Mapping[str, bytes]) -> tuple[FormVocabulary, FormTables]:
    try:
        with np.load(io.BytesIO(files[TABLES]), allow_pickle=False) as stored:
            arrays: dict[str, Any] = dict(stored)
        tables = FormTables(
            arrays["words"],
            arrays["ngrams"],
            arrays["shapes"].astype(np.float32),
            arrays["lists"].astype(np.float32),
            float(arrays["scales"][0]),
            float(arrays["scales"][1]),
            arrays["entry"],
            arrays["entry_bias"],
        )
        names = [str(name) for name in arrays["list_names"]]
        masks = arrays["masks"][arrays["masks_of_words"]]
        vocabulary = FormVocabulary(arrays["hashes"], arrays["rows"], masks, names)
    except (ValueError, KeyError, IndexError, TypeError, OSError, zipfile.BadZipFile) as error:
        raise ModelError("the tables of the model cannot be read") from error
    if int(vocabulary.rows.max(initial=0)) >= len(tables.words):
        raise ModelError("the words of the model do not match its table of vectors")
    widths = (table.shape[1] for table in (tables.words, tables.ngrams, tables.shapes))
    if tables.entry.shape != (sum(widths), len(tables.entry_bias)):
        raise ModelError("the first layer of the model does not match its tables")
    return vocabulary, tables
