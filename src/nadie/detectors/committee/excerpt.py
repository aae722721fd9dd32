"""The passages of a document on which specialists are run."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nadie.document import Document
from nadie.tokens.passages import joined, passages
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.tokenizer import with_gaps

Flags = npt.NDArray[np.bool_]
_CERTAIN = 0.97
_SAMPLE = re.compile(r".{,400}\S*", re.DOTALL)


@dataclass(frozen=True)
class Excerpt:
    """Passages of a document as a separate document; `rows` are the indices of its tokens in the original document."""

    document: Document
    rows: npt.NDArray[np.intp]

    def sample(self) -> Excerpt:
        """The beginning, up to the white space after 400 characters, which shows whether a specialist agrees."""
        text = self.document.text
        if (found := _SAMPLE.match(text)) is None or found.end() == len(text):
            return self
        shorter = Document(self.document.id, found[0])
        return replace(self, document=shorter, rows=self.rows[: len(with_gaps(shorter.text)[1])])


def may_be_phi(probabilities: TokenProbabilities) -> Flags:
    """The tokens that may be PHI: the probability of `O`, the first tag, is below 0.97.

    Networks trained with smoothed targets give `O` a probability of about 0.985 far from any PHI.
    """
    flags: Flags = probabilities.values[:, 0] < _CERTAIN
    return flags


def uncertain(probabilities: TokenProbabilities) -> Flags:
    """The tokens whose most probable tag has a probability below 0.97."""
    flags: Flags = probabilities.values.max(axis=1, initial=0.0) < _CERTAIN
    return flags


def excerpt(document: Document, probabilities: TokenProbabilities, doubtful: Flags) -> Excerpt:
    """The passages that contain a doubtful token."""
    starts = np.fromiter((token.start for token in probabilities.tokens), np.intp, len(doubtful))
    kept, rows = [], [np.zeros(0, dtype=np.intp)]
    for passage in passages(document, probabilities.tokens):
        first, stop = np.searchsorted(starts, (passage.start, passage.end))
        if doubtful[first:stop].any():
            kept.append(passage)
            rows.append(np.arange(first, stop))
    part, numbers = joined(document, kept), np.concatenate(rows)
    if with_gaps(part.text)[1] == tuple(probabilities.tokens[i].text for i in numbers.tolist()):
        return Excerpt(part, numbers)
    return Excerpt(document, np.arange(len(doubtful)))  # tokens of two passages merged: use the whole document
