"""The word vectors that all variants share: one table in eight bits a number."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from nadie.detectors.neural.encoding import Batch
from nadie.errors import ModelError

VECTORS = "word_vectors"
"""The name under which a network takes the vectors of a batch's forms."""


@dataclass(frozen=True)
class SharedVectors:
    """Row i is `table[i] * scales[i]`; row 0 belongs to every unknown word, and is zero."""

    table: npt.NDArray[np.int8]  # (words, width)
    scales: npt.NDArray[np.float32]  # (words,)

    @property
    def width(self) -> int:
        return int(self.table.shape[1])

    def rows(self, words: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """The vectors (N, width) of words (N,)."""
        return self.table[words].astype(np.float32) * self.scales[words, None]

    def dense(self) -> npt.NDArray[np.float32]:
        return self.rows(np.arange(len(self.table)))

    def to_bytes(self) -> bytes:
        content = io.BytesIO()
        np.savez_compressed(content, table=self.table, scales=self.scales)
        return content.getvalue()

    @classmethod
    def from_bytes(cls, content: bytes) -> SharedVectors:
        try:
            with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
                table, scales = arrays["table"], arrays["scales"]
        except (OSError, EOFError, ValueError, KeyError, TypeError, BadZipFile) as error:
            raise ModelError("the word vectors of the model cannot be read") from error
        if table.dtype != np.int8 or table.ndim != 2 or scales.shape != table.shape[:1]:
            raise ModelError("the word vectors of the model do not have one scale for each row")
        return cls(table, scales)


@dataclass(frozen=True)
class VectorBatch(Batch):
    """A batch that brings the vectors of its forms, (U, width), because its network has no table of its own."""

    vectors: npt.NDArray[np.float32]

    def inputs(self) -> Mapping[str, npt.NDArray[Any]]:
        return {**super().inputs(), VECTORS: self.vectors}
