"""How likely every tag is at every token: what detectors give to committees, thresholds and distillation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from nadie.tokens.codec import Chunk
from nadie.tokens.tokenizer import Token

Floats = npt.NDArray[np.floating]
_IN_BIO = {"S": "B", "E": "I"}


@dataclass(frozen=True)
class TokenProbabilities:
    """The probability of each tag at each token of a text: `values` (tokens, tags)."""

    tokens: Sequence[Token]
    tags: tuple[str, ...]
    values: Floats

    def of_tag(self, tag: str) -> Floats:
        """(tokens,): 0 for a tag that the detector does not have."""
        if tag not in self.tags:
            return np.zeros(len(self.tokens), dtype=self.values.dtype)
        column: Floats = self.values[:, self.tags.index(tag)]
        return column

    def of_label(self, label: str) -> Floats:
        """(tokens,): whether each token is of that label, wherever in a span it stands."""
        return self._of_label(label, slice(None))

    def confidence(self, chunk: Chunk) -> float:
        """The probability of the chunk's label at its least probable token."""
        least = self._of_label(chunk.label, slice(chunk.first, chunk.stop)).min()
        return min(max(float(least), 0.0), 1.0)

    def in_bio(self) -> TokenProbabilities:
        """The same in BIO, which all detectors share: a single token begins a span, an ending one is inside it."""
        kept, columns = _bio_columns(self.tags)
        return TokenProbabilities(self.tokens, kept, (self.values @ columns).astype(np.float32))

    def _of_label(self, label: str, tokens: slice) -> Floats:
        columns = [i for i, tag in enumerate(self.tags) if tag[2:] == label]
        total: Floats = self.values[tokens][:, columns].sum(axis=1)
        return total


@lru_cache
def _bio_columns(tags: tuple[str, ...]) -> tuple[tuple[str, ...], npt.NDArray[np.float32]]:
    """The tags in BIO, and (tags, tags in BIO) 1 where one becomes the other."""
    names = [_IN_BIO.get(tag[0], tag[0]) + tag[1:] for tag in tags]
    kept = tuple(dict.fromkeys(names))
    columns = np.array([[own == name for name in kept] for own in names], dtype=np.float32)
    return kept, columns
