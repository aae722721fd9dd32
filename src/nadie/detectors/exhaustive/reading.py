"""Texts to the scores of all their spans, through the networks of the variants."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nadie.detectors.exhaustive.decoding import NO_ENTITY, Candidate, Scores, flat, nested, vote
from nadie.detectors.exhaustive.token_probabilities import Cells, bio_tags, likely_cells, tag_probabilities
from nadie.detectors.exhaustive.vectors import SharedVectors, VectorBatch
from nadie.detectors.neural.confidence import Calibration
from nadie.detectors.neural.encoding import Encoded, Window, collate, encode, reading_windows
from nadie.detectors.neural.tagger import Network
from nadie.detectors.neural.vocabulary import Vocabulary
from nadie.document import Span
from nadie.tokens.probabilities import TokenProbabilities

SPANS = "spans"
"""The name of a network's output: (B, T, S, K), the scores of the K classes for each span."""
_ROWS = 32


@dataclass(frozen=True)
class Reading:
    """How a text is read: spans of up to `sizes` tokens, in windows of `window` tokens, `margin` of them on either side
    only looked at. A window judges the spans that begin in its middle, and its margin is where they may end."""

    sizes: int
    window: int
    margin: int

    @property
    def reach(self) -> int:
        """The margin, and never less than the longest span needs to end within its window with a neighbour after."""
        return max(self.margin, self.sizes)

    @property
    def size(self) -> int:
        return max(self.window, 2 * self.reach + self.sizes)


@dataclass(frozen=True)
class SpanReader:
    """Everything between a text and its entities: one network for each variant, over one vocabulary and one table."""

    networks: tuple[Network, ...]
    vocabulary: Vocabulary
    vectors: SharedVectors
    labels: tuple[str, ...]
    reading: Reading
    calibration: Calibration
    nested: bool
    bias: float = 0.0

    def scores(self, encoded: Encoded) -> Iterator[list[Scores]]:
        """What each variant says of every span, some hundred tokens after the other: for each stretch as many
        (t, S, K) as there are variants. The whole of a long text would be a hundred times as large as the text.
        `bias` is taken from the scores of "no entity"."""
        forms = self.vocabulary.forms(encoded.forms)
        windows = reading_windows(len(encoded.tokens), encoded.breaks, self.reading.size, self.reading.reach)
        for begin in range(0, len(windows), _ROWS):
            some = windows[begin : begin + _ROWS]
            rows = [(encoded.kinds[w.first : w.stop], encoded.spacing[w.first : w.stop]) for w in some]
            plain = collate(rows, forms)
            vectors = self.vectors.rows(plain.forms.words)
            batch = VectorBatch(plain.forms, plain.kinds, plain.spacing, plain.lengths, vectors)
            found = (network(batch)[SPANS] for network in self.networks)
            stretch = [np.concatenate([_judged(said[row], w) for row, w in enumerate(some)]) for said in found]
            for said in stretch:
                said[:, :, NO_ENTITY] -= self.bias
            yield stretch

    def candidates(self, encoded: Encoded) -> list[Candidate]:
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
        encoded = encode(text)
        stretches: list[Cells] = []
        begin = 0
        for scores in self.scores(encoded):
            stretches.append(likely_cells(scores, begin, len(encoded.tokens) - begin))
            begin += len(scores[0])
        values = tag_probabilities(stretches, len(encoded.tokens), len(self.labels))
        return TokenProbabilities(encoded.tokens, bio_tags(self.labels), values)

    def spans(self, text: str, source: str) -> tuple[Span, ...]:
        encoded = encode(text)
        return self.as_spans(encoded, self.candidates(encoded), source)

    def as_spans(self, encoded: Encoded, candidates: Sequence[Candidate], source: str) -> tuple[Span, ...]:
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


def _judged(scores: Scores, window: Window) -> Scores:
    return scores[window.begin - window.first : window.end - window.first]
