"""Scores of all spans of a text, from the networks of the variants and their shared word vectors."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from nadie.document import Span
from nadie.errors import ModelError
from nadie.neural.config import WindowSizes
from nadie.neural.encoding import Batch, EncodedText, Ints, Window, collate, encode, windows_of
from nadie.neural.model import Calibration
from nadie.neural.tagger import Network
from nadie.neural.vocabulary import Forms, Vocabulary
from nadie.papers.exhaustive.decoding import NO_ENTITY, Candidate, Scores, flat, nested, vote
from nadie.papers.exhaustive.token_probabilities import Cells, bio_tags, likely_cells, tag_probabilities
from nadie.tokens.probabilities import TokenProbabilities

SPANS = "spans"
"""The name of a network's output: (B, T, S, K), the scores of the K classes for each span."""
VECTORS = "word_vectors"
"""The name of the network input for the vectors of a batch's forms."""
_ROWS = 32
_SURELY = 1e3  # the score of "no entity" for a span that cannot be one


@dataclass(frozen=True)
class SharedVectors:
    """Row i is `table[i] * scales[i]`; row 0 is for unknown words, and is zero."""

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
    """A batch with the vectors of its forms, (U, width), because the network has no table of its own."""

    vectors: npt.NDArray[np.float32]

    def inputs(self) -> Mapping[str, npt.NDArray[Any]]:
        return {**super().inputs(), VECTORS: self.vectors}


def wide_enough(reading: WindowSizes, sizes: int) -> WindowSizes:
    """Windows for spans of up to `sizes` tokens: a window scores the spans that begin in its middle, and its margin,
    where they may end, is wide enough for the longest span and the token after it.
    """
    margin = max(reading.margin, sizes)
    return replace(reading, window=max(reading.window, 2 * margin + sizes), margin=margin)


@dataclass(frozen=True)
class SpanReader:
    """Everything between a text and its entities: one network for each variant, with one vocabulary and one table, or
    with a table in each network if the vectors were tuned.
    """

    networks: tuple[Network, ...]
    vocabulary: Vocabulary
    vectors: SharedVectors | None
    labels: tuple[str, ...]
    reading: WindowSizes
    calibration: Calibration
    nested: bool
    bias: float = 0.0

    def encode(self, text: str) -> EncodedText:
        return encode(text, self.reading.tokens)

    def scores(self, encoded: EncodedText) -> Iterator[list[Scores]]:
        """The scores of each variant for every span, some hundred tokens at a time: for each range of tokens, one array
        (t, S, K) per variant. The scores of a whole long text would be a hundred times as large as the text. `bias` is
        subtracted from the scores of "no entity".
        """
        forms = self.vocabulary.forms(encoded.forms)
        windows = windows_of(encoded, self.reading)
        for begin in range(0, len(windows), _ROWS):
            some = windows[begin : begin + _ROWS]
            rows = [(encoded.kinds[w.first : w.stop], encoded.spacing[w.first : w.stop]) for w in some]
            batch = self._batch(rows, forms)
            found = (network(batch)[SPANS] for network in self.networks)
            chunk = [np.concatenate([self._judged(scored[row], w) for row, w in enumerate(some)]) for scored in found]
            for scored in chunk:
                scored[:, :, NO_ENTITY] -= self.bias
            yield chunk

    def _batch(self, rows: Sequence[tuple[Ints, Ints]], forms: Forms) -> Batch:
        plain = collate(rows, forms)
        if self.vectors is None:
            return plain
        vectors = self.vectors.rows(plain.forms.words)
        return VectorBatch(plain.forms, plain.kinds, plain.spacing, plain.lengths, vectors)

    def _judged(self, scores: Scores, window: Window) -> Scores:
        """The scores of the spans that begin in the middle of a window; none extends beyond a sentence or a line."""
        here = scores[window.begin - window.first : window.end - window.first]
        if self.reading.unit != "window":
            tokens, sizes = here.shape[:2]
            beyond = np.arange(tokens)[:, None] + np.arange(sizes) >= tokens
            here[beyond] = 0.0
            here[beyond, NO_ENTITY] = _SURELY
        return here

    def candidates(self, encoded: EncodedText) -> list[Candidate]:
        """The entities, with their probabilities before calibration."""
        found: list[Candidate] = []
        begin = 0
        for scores in self.scores(encoded):
            here = vote(scores, len(encoded.tokens) - begin)
            found += [replace(c, first=c.first + begin, stop=c.stop + begin) for c in here]
            begin += len(scores[0])
        return nested(found) if self.nested else flat(found)

    def token_probabilities(self, text: str) -> TokenProbabilities:
        """The probability of every tag at every token."""
        encoded = self.encode(text)
        stretches: list[Cells] = []
        begin = 0
        for scores in self.scores(encoded):
            stretches.append(likely_cells(scores, begin, len(encoded.tokens) - begin))
            begin += len(scores[0])
        values = tag_probabilities(stretches, len(encoded.tokens), len(self.labels))
        return TokenProbabilities(encoded.tokens, bio_tags(self.labels), values)

    def spans(self, text: str, source: str) -> tuple[Span, ...]:
        encoded = self.encode(text)
        return self.as_spans(encoded, self.candidates(encoded), source)

    def as_spans(self, encoded: EncodedText, candidates: Sequence[Candidate], source: str) -> tuple[Span, ...]:
        tokens = encoded.tokens
        return tuple(
            Span(
                tokens[c.first].start,
                tokens[c.stop - 1].end,
                self.labels[c.kind - 1],
                self.calibration(c.score),
                source,
            )
            for c in candidates
        )
