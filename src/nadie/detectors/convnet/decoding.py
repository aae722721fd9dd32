"""From token probabilities to well-formed tags."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from nadie.crf.viterbi import Chain
from nadie.detectors.convnet.forms import Floats, Ints
from nadie.tokens.codec import OUTSIDE, Chunk, allowed_steps, decode

_OUTSIDE = 0.9
_TINY = 1e-9


class Decoder:
    """Takes the likeliest tag of each token. Where these do not make spans, because an inside tag follows nothing, the
    likeliest well-formed tags of the whole stretch are searched for; a stretch ends where `O` is 0.9 likely."""

    def __init__(self, tags: Sequence[str]) -> None:
        if tags[0] != OUTSIDE:
            raise ValueError("the first tag must be O")
        self._tags = tuple(tags)
        steps = allowed_steps(tags)
        self._allowed = steps[:-1, :-1]
        self._chain = Chain.of_allowed(steps)
        labels = sorted({tag[2:] for tag in tags[1:]})
        self._columns = {label: [i for i, tag in enumerate(tags) if tag[2:] == label] for label in labels}

    def chunks(self, probabilities: Floats) -> list[tuple[Chunk, float]]:
        """The chunks in a text, each with the probability of its label at its least probable token."""
        path = self.path(probabilities)
        tagged = np.flatnonzero(path)
        found = []
        for first, stop in _runs(tagged):
            for chunk in decode([self._tags[tag] for tag in path[first:stop].tolist()]):
                moved = Chunk(first + chunk.first, first + chunk.stop, chunk.label)
                rows = probabilities[moved.first : moved.stop, self._columns[chunk.label]]
                found.append((moved, min(float(rows.sum(axis=1).min()), 1.0)))
        return found

    def path(self, probabilities: Floats) -> Ints:
        path: Ints = probabilities.argmax(axis=1)
        before = np.concatenate([[0], path[:-1]])[: len(path)]
        wrong = np.flatnonzero(~self._allowed[before, path])
        if not len(wrong):
            return path
        stretches = [
            (first, stop)
            for first, stop in _runs(np.flatnonzero(probabilities[:, 0] < _OUTSIDE))
            if np.searchsorted(wrong, first) < np.searchsorted(wrong, stop)
        ]
        scores = [np.log(np.maximum(probabilities[first:stop], _TINY)) for first, stop in stretches]
        for (first, stop), better in zip(stretches, self._chain.best_paths(scores), strict=True):
            path[first:stop] = better
        return path


def _runs(places: npt.NDArray[np.intp]) -> list[tuple[int, int]]:
    """Sorted places as ranges of neighbours."""
    if not len(places):
        return []
    gaps = np.flatnonzero(np.diff(places) > 1)
    firsts = places[np.concatenate([[0], gaps + 1])]
    lasts = places[np.concatenate([gaps, [len(places) - 1]])]
    return list(zip(firsts.tolist(), (lasts + 1).tolist(), strict=True))
