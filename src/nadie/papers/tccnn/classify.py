"""Classification of candidates by the network and conversion to spans: the second half of the paper's pipeline."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.document import Span
from nadie.inference import onnx_session
from nadie.papers.tccnn.candidates import Generator, Place
from nadie.papers.tccnn.config import TCCNNConfig
from nadie.papers.tccnn.constraints import Constraints
from nadie.papers.tccnn.encoding import Channels, encode
from nadie.papers.tccnn.note import TaggedWords, read_notes
from nadie.papers.tccnn.vocabulary import CandidateVocabulary
from nadie.resolve.overlaps import left_most_longest

Scores = npt.NDArray[np.float32]
Network = Callable[[Channels], Scores]
"""Channels (B, length) → probabilities (B, labels)."""
_ROWS = 1024
_NOTES = 32


@dataclass(frozen=True)
class Classifier:
    """Everything between texts and spans, for any network that gives the probabilities."""

    network: Network
    generator: Generator
    vocabulary: CandidateVocabulary
    constraints: Constraints | None
    config: TCCNNConfig
    bias: float = 0.0  # added to the log-odds of every candidate being an entity

    def spans_of_all(self, texts: Sequence[str], source: str) -> list[tuple[Span, ...]]:
        """The spans of each text; the candidates of many notes are classified together."""
        found: list[tuple[Span, ...]] = []
        for begin in range(0, len(texts), _NOTES):
            some = texts[begin : begin + _NOTES]
            notes = read_notes(some)
            places = [self.generator.places(note) for note in notes]
            scores = self.probabilities(notes, some, places)
            at = 0
            for note, text, own in zip(notes, some, places, strict=True):
                found.append(self.resolve(note, text, own, scores[at : at + len(own)], source))
                at += len(own)
        return found

    def resolve(
        self, note: TaggedWords, text: str, places: Sequence[Place], scores: Scores, source: str
    ) -> tuple[Span, ...]:
        """The most probable type of each candidate, then the final filter, then the resolution of overlaps."""
        if self.bias:
            scores = scores * np.exp(self.bias * (np.arange(scores.shape[1]) > 0))
            scores = scores / scores.sum(axis=1, keepdims=True)
        best = scores.argmax(axis=1)
        spans = []
        for i in np.flatnonzero(best).tolist():
            first, stop = places[i]
            label = self.vocabulary.labels[best[i]]
            score = min(max(float(scores[i, best[i]]), 0.0), 1.0)
            span = note.span(first, stop, label, score, source)
            if self.constraints is None or self.constraints.allow(text[span.start : span.end], label):
                spans.append(span)
        return surest(spans) if self.config.resolution == "surest" else left_most_longest(spans)

    def probabilities(
        self, notes: Sequence[TaggedWords], texts: Sequence[str], places: Sequence[Sequence[Place]]
    ) -> Scores:
        """The probability of every label for the candidates of these notes, in order."""
        own = self.config.architecture
        encoded = encode(notes, texts, places, self.vocabulary, own.words)
        parts = [np.zeros((0, len(self.vocabulary.labels)), dtype=np.float32)]
        for begin in range(0, len(encoded), _ROWS):
            rows = slice(begin, begin + _ROWS)
            parts.append(self.network(encoded.channels(rows, tags=own.tags, characters=own.characters)))
        return np.concatenate(parts)


def surest(spans: Sequence[Span]) -> tuple[Span, ...]:
    """Of overlapping spans, the one with the highest score; among equals the longest, then the left-most."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (-s.score, -len(s), s.start)):
        if not any(span.overlaps(other) for other in kept):
            kept.append(span)
    return tuple(sorted(kept))


def onnx_network(model: bytes, threads: int) -> Network:
    """The network of an ONNX file."""
    session = onnx_session(model, threads)

    def run(channels: Mapping[str, npt.NDArray[np.int64]]) -> Scores:
        scores: Scores = session.run(["probabilities"], dict(channels))[0]
        return scores

    return run
