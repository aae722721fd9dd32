"""Token probabilities from span scores, against an enumeration of all sets of spans."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nadie.papers.exhaustive.decoding import Scores, softmax
from nadie.papers.exhaustive.token_probabilities import bio_tags, likely_cells, tag_probabilities

LABELS = ("PAIS", "CALLE")


def all_ways(scores: Scores) -> np.ndarray:
    """(T, tags) by enumeration: every set of labelled spans that do not overlap, weighted by its odds."""
    tokens, sizes, classes = scores.shape
    probabilities = softmax(scores.reshape(-1, classes)).reshape(scores.shape)
    cells = [
        (t, t + s + 1, k, probabilities[t, s, k] / probabilities[t, s, 0])
        for t in range(tokens)
        for s in range(sizes)
        for k in range(1, classes)
        if t + s < tokens
    ]
    said = np.zeros((tokens, 2 * classes - 1))
    every = 0.0
    for count in range(tokens + 1):
        for chosen in itertools.combinations(cells, count):
            if any(a[0] < b[1] and b[0] < a[1] for a, b in itertools.combinations(chosen, 2)):
                continue
            weight = np.prod([odds for *_, odds in chosen])
            every += weight
            covered = np.zeros(tokens, dtype=bool)
            for first, stop, kind, _ in chosen:
                said[first, kind] += weight
                said[first + 1 : stop, kind + classes - 1] += weight
                covered[first:stop] = True
            said[~covered, 0] += weight
    return said / every


@pytest.mark.parametrize("seed", range(5))
def test_against_all_ways(seed: int) -> None:
    scores = np.random.default_rng(seed).normal(size=(4, 2, 3)).astype(np.float32)
    found = tag_probabilities([likely_cells([scores], 0, 4)], 4, 2)
    assert found == pytest.approx(all_ways(scores), abs=1e-4)


def test_stretches_are_put_together() -> None:
    scores = np.random.default_rng(9).normal(size=(4, 2, 3)).astype(np.float32)
    parts = [likely_cells([scores[:1]], 0, 4), likely_cells([scores[1:]], 1, 3)]
    assert tag_probabilities(parts, 4, 2) == pytest.approx(all_ways(scores), abs=1e-4)


def test_variants_are_averaged_and_sure_spans_stay_sure() -> None:
    scores = np.zeros((3, 2, 3), dtype=np.float32)
    scores[:, :, 0] = 20.0
    scores[1, 1] = (0.0, 0.0, 20.0)
    unsure = scores.copy()
    unsure[1, 1] = (20.0, 0.0, 20.0)
    found = tag_probabilities([likely_cells([scores, unsure], 0, 3)], 3, 2)
    tags = bio_tags(LABELS)
    assert found[1, tags.index("B-CALLE")] == pytest.approx(0.75, abs=0.01)
    assert found[2, tags.index("I-CALLE")] == pytest.approx(0.75, abs=0.01)
    assert found[0, 0] == pytest.approx(1.0, abs=1e-4)


def test_nothing_to_read() -> None:
    assert tag_probabilities([], 0, 2).shape == (0, 5)
