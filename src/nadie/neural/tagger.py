"""Inference with a trained tagger: text in, spans out, through onnxruntime."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import Chain
from nadie.document import Span
from nadie.inference import onnx_session
from nadie.neural.config import WindowSizes
from nadie.neural.encoding import Batch, EncodedText, Window, collate, encode, units_of, windows_of
from nadie.neural.model import Calibration
from nadie.neural.vocabulary import Vocabulary
from nadie.tokens.codec import Chunk, decode

Scores = npt.NDArray[np.float32]
Network = Callable[[Batch], Mapping[str, Scores]]
"""Batch → `emissions` (B, T, K) and the other outputs of the network for each token (B, T, ...)."""
_ROWS = 32
_TEXTS = 8
_LONG = 4096


@dataclass(frozen=True)
class SequenceTagger:
    """Everything between a text and its chunks, for any network that gives emissions."""

    network: Network
    vocabulary: Vocabulary
    tags: tuple[str, ...]
    chain: Chain
    reading: WindowSizes
    calibration: Calibration

    def encode(self, text: str) -> EncodedText:
        return encode(text, self.reading.tokens)

    def scores(self, encoded: EncodedText) -> dict[str, Scores]:
        """The outputs of the network for every token, (T, ...) each, by name."""
        forms = self.vocabulary.forms(encoded.forms)
        windows = windows_of(encoded, self.reading)
        parts: dict[str, list[Scores]] = {}
        for begin in range(0, len(windows), _ROWS):
            some = windows[begin : begin + _ROWS]
            rows = [(encoded.kinds[w.first : w.stop], encoded.spacing[w.first : w.stop]) for w in some]
            for name, values in self.network(collate(rows, forms)).items():
                parts.setdefault(name, []).extend(_judged(values[row], w) for row, w in enumerate(some))
        return {name: np.concatenate(values) for name, values in parts.items()}

    def pieces(self, encoded: EncodedText, scores: Scores) -> list[tuple[int, int]]:
        """The ranges of tokens that are decoded separately."""
        return _pieces(scores) if self.reading.unit == "window" else units_of(encoded, self.reading)

    def tag(self, texts: Sequence[EncodedText], emissions: Sequence[Scores]) -> list[list[tuple[Chunk, float]]]:
        """For each text the chunks of the best tag sequence, each with its probability before calibration."""
        pieces = [self.pieces(encoded, scores) for encoded, scores in zip(texts, emissions, strict=True)]
        parts = [scores[a:b] for scores, cuts in zip(emissions, pieces, strict=True) for a, b in cuts]
        known = posteriors(parts, self.chain)
        paths = self.chain.likely_paths(parts, [posterior.marginals for posterior in known])
        decoded = iter(zip(known, paths, strict=True))
        tagged = []
        for cuts in pieces:
            found: list[tuple[Chunk, float]] = []
            for begin, _ in cuts:
                posterior, path = next(decoded)
                chunks = decode([self.tags[tag] for tag in path])
                probabilities = posterior.chunk_probabilities(path.tolist(), chunks, self.tags)
                moved = (Chunk(c.first + begin, c.stop + begin, c.label) for c in chunks)
                found += zip(moved, probabilities, strict=True)
            tagged.append(found)
        return tagged

    def spans(self, text: str, source: str) -> tuple[Span, ...]:
        return self.spans_of_all([text], source)[0]

    def as_spans(self, encoded: EncodedText, chunks: Sequence[tuple[Chunk, float]], source: str) -> tuple[Span, ...]:
        tokens = encoded.tokens
        return tuple(
            Span(tokens[c.first].start, tokens[c.stop - 1].end, c.label, self.calibration(probability), source)
            for c, probability in chunks
        )

    def spans_of_all(self, texts: Sequence[str], source: str, workers: int = 1) -> list[tuple[Span, ...]]:
        """The spans of each text; groups of texts are processed in parallel on `workers` threads."""
        groups = [texts[begin : begin + _TEXTS] for begin in range(0, len(texts), _TEXTS)]
        if workers < 2 or len(groups) < 2:
            return [spans for group in groups for spans in self._group(group, source)]
        with ThreadPoolExecutor(workers) as pool:
            return [spans for found in pool.map(lambda group: self._group(group, source), groups) for spans in found]

    def _group(self, texts: Sequence[str], source: str) -> list[tuple[Span, ...]]:
        """The network reads one text at a time, so that no text depends on the others; they are decoded together."""
        encoded = [self.encode(text) for text in texts]
        tagged = self.tag(encoded, [self.emissions(one) for one in encoded])
        return [self.as_spans(one, chunks, source) for one, chunks in zip(encoded, tagged, strict=True)]

    def emissions(self, encoded: EncodedText) -> Scores:
        """(T, K), also for a text without tokens."""
        if not encoded.tokens:
            return np.zeros((0, len(self.tags)), dtype=np.float32)
        return self.scores(encoded)["emissions"]


def _pieces(scores: Scores) -> list[tuple[int, int]]:
    """Split scores (T, K) into ranges of some thousand tokens, between two tokens that are probably `O`: the
    probabilities of a whole long text would take too much memory.
    """
    outside = scores.argmax(axis=1) == 0
    cuts = [0]
    for i in range(_LONG, len(scores)):
        if i - cuts[-1] >= _LONG and outside[i - 1] and outside[i]:
            cuts.append(i)
    return list(zip(cuts, [*cuts[1:], len(scores)], strict=True)) if len(scores) else []


def _judged(values: Scores, window: Window) -> Scores:
    return values[window.begin - window.first : window.end - window.first]


def onnx_network(model: bytes) -> Network:
    """The network of an ONNX file, on one thread: several texts run in parallel instead."""
    session = onnx_session(model, 1)
    taken = {node.name for node in session.get_inputs()}
    given = [node.name for node in session.get_outputs()]

    def run(batch: Batch) -> Mapping[str, Scores]:
        inputs = {name: values for name, values in batch.inputs().items() if name in taken}
        return dict(zip(given, session.run(given, inputs), strict=True))

    return run
