"""Word vectors made elsewhere: word2vec and GloVe, as text or binary."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from nadie.errors import ConfigError
from nadie.training.vectors import WordVectors, quantise

Row = tuple[str, npt.NDArray[np.float32]]
_HEADER = re.compile(rb"(\d{1,9}) (\d{1,5})\s*\n")
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_LONGEST_WORD = 1 << 12
_LONGEST_LINE = 1 << 20


def read_vectors(path: Path, vocabulary: Path | None = None, most: int = 0) -> WordVectors:
    """The vectors of a file, words as written. `most` keeps only the first, which are the most frequent.

    The format is recognised: word2vec begins with two counts, GloVe's text with a word. GloVe's binary file has no
    words: they are in `vocabulary`, the file that its first program writes.
    """
    if not path.is_file():
        raise ConfigError(f"there is no file {path}")
    try:
        rows = list(islice(_glove_binary(path, vocabulary) if vocabulary else _rows(path), most or None))
        dense = np.stack([values for _, values in rows])
    except ValueError as error:
        raise ConfigError(f"{path.name} has no word vectors of word2vec or GloVe that can be read") from error
    if not np.isfinite(dense).all():
        raise ConfigError(f"{path.name} has values that are not numbers")
    return WordVectors(tuple(word for word, _ in rows), *quantise(dense), folded=False)


def _rows(path: Path) -> Iterator[Row]:
    with path.open("rb") as file:
        first = file.readline(_LONGEST_LINE)
        header = _HEADER.fullmatch(first)
        if header is None:
            width = _numbers_at_the_end(first)
            file.seek(0)
            yield from _text(file, width)
            return
        count, width = int(header[1]), int(header[2])
        is_text = _numbers_at_the_end(file.readline(_LONGEST_LINE)) == width
        file.seek(len(first))
        yield from _text(file, width) if is_text else _binary(file, count, width)


def _numbers_at_the_end(line: bytes) -> int:
    """How many of a line's parts, after the first, are numbers, counted from the end."""
    count = 0
    for part in reversed(line.split()[1:]):
        if not _NUMBER.fullmatch(part):
            break
        count += 1
    return count


def _text(file: BinaryIO, width: int) -> Iterator[Row]:
    """A line for each word, which may contain spaces."""
    if width < 2:
        raise ValueError("fewer than two numbers in a row")
    while line := file.readline(_LONGEST_LINE):
        word, *values = line.rstrip().rsplit(b" ", width)
        if len(values) != width:
            raise ValueError("a row has fewer numbers")
        yield word.decode("utf-8", "replace"), np.array(values, dtype=np.float32)


def _binary(file: BinaryIO, count: int, width: int) -> Iterator[Row]:
    """word2vec's binary rows: a word, a space, and single-precision numbers; some writers end a row with a newline."""
    for _ in range(count):
        word = bytearray()
        while (byte := file.read(1)) != b" ":
            if not byte or len(word) > _LONGEST_WORD:
                raise ValueError("the file ends within a word")
            word += byte
        values = np.frombuffer(file.read(4 * width), dtype="<f4")
        if len(values) != width:
            raise ValueError("the file ends within a row")
        yield bytes(word).lstrip(b"\n").decode("utf-8", "replace"), values.astype(np.float32)


def _glove_binary(path: Path, vocabulary: Path) -> Iterator[Row]:
    """GloVe writes a row of doubles, the last of which is a bias, for each word and then for each context word; its
    vectors are the sums of both.
    """
    lines = vocabulary.read_text(encoding="utf-8", errors="replace").splitlines()
    words = [line.split(" ")[0] for line in lines if line.strip()]
    values = np.fromfile(path, dtype="<f8")
    width, rest = divmod(len(values), 2 * len(words)) if words else (0, 1)
    if rest or width < 3:
        raise ValueError("not two rows of numbers for each word")
    halves = values.reshape(2, len(words), width)
    for i, word in enumerate(words):
        yield word, halves[:, i, :-1].sum(axis=0).astype(np.float32)
