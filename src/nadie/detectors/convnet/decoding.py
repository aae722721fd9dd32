"""Token probabilities → spans of several texts, while the network still runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import exp

import numpy as np

from nadie.detectors.convnet.tables import Floats
from nadie.document import SUSPECTED, Span
from nadie.tokens.arrays import TokenArrays
from nadie.tokens.codec import ProbabilityDecoder


class Decoding:
    """The spans of each text of a reading, from rows of probabilities in the order of its tokens.

    Rows are decoded as they come, to limit the memory for a long text. `bias` is added to the log-odds of each token
    being PHI, as if the network had run with it.
    """

    def __init__(
        self,
        decoder: ProbabilityDecoder,
        reading: TokenArrays,
        *,
        calibration: Callable[[float], float],
        source: str,
        bias: float = 0.0,
    ) -> None:
        self._decoder, self._reading = decoder, reading
        self._calibration, self._source, self._bias = calibration, source, bias
        self._waiting: Floats | None = None
        self._done = 0
        self.found: list[list[Span]] = [[] for _ in reading.bounds[1:]]

    def add(self, rows: Floats) -> None:
        if self._bias:
            rows = _biased(rows, self._bias)
        waiting = rows if self._waiting is None else np.concatenate([self._waiting, rows])
        reading, done = self._reading, self._done
        is_last = done + len(waiting) == len(reading)
        count = len(waiting) if is_last else self._decoder.decodable(waiting)
        chunks = self._decoder.chunks(waiting[:count], reading.bounds - done)
        firsts = np.array([chunk.first for chunk, _ in chunks], dtype=np.int64) + done
        lasts = np.array([chunk.stop for chunk, _ in chunks], dtype=np.int64) + (done - 1)
        owners = np.searchsorted(reading.bounds, firsts, side="right") - 1
        places = (owners, reading.starts[firsts], reading.ends[lasts])
        for text, start, end, (chunk, probability) in zip(*(a.tolist() for a in places), chunks, strict=True):
            self.found[text].append(Span(start, end, chunk.label, self._calibration(probability), self._source))
        self._waiting, self._done = waiting[count:], done + count


class Suspected:
    """The tokens of each text that are of one of the labels with at least this probability, whatever is decoded."""

    def __init__(self, tags: Sequence[str], reading: TokenArrays, labels: Sequence[str], least: float) -> None:
        self._columns = {label: [i for i, tag in enumerate(tags) if tag[2:] == label] for label in labels}
        self._reading, self._least = reading, least
        self._done = 0
        self.found: list[list[Span]] = [[] for _ in reading.bounds[1:]]

    def add(self, rows: Floats) -> None:
        by_label = np.stack([rows[:, columns].sum(axis=1) for columns in self._columns.values()])
        labels, totals = list(self._columns), by_label.sum(axis=0)
        for at in np.flatnonzero(totals >= self._least).tolist():
            place = self._done + at
            text = int(np.searchsorted(self._reading.bounds, place, side="right")) - 1
            start, end = int(self._reading.starts[place]), int(self._reading.ends[place])
            label = labels[int(by_label[:, at].argmax())]
            self.found[text].append(Span(start, end, label, min(float(totals[at]), 1.0), SUSPECTED))
        self._done += len(rows)


def _biased(rows: Floats, bias: float) -> Floats:
    """(T, K): softmax with `bias` less for `O`, the first tag, from softmax without it."""
    outside = rows[:, 0] * np.float32(exp(-bias))
    total = 1.0 - rows[:, 0] + outside
    biased: Floats = (rows / total[:, None]).astype(np.float32)
    biased[:, 0] = outside / total
    return biased
