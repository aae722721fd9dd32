"""Forward-backward against an enumeration of all paths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from numpy.typing import NDArray

from nadie.crf.forward_backward import posteriors
from nadie.crf.viterbi import FORBIDDEN, Chain, Scores
from nadie.tokens.codec import Scheme, allowed_steps, decode, tag_set


def enumerated(emissions: Scores, chain: Chain) -> dict[tuple[int, ...], float]:
    """The probability of every path."""
    scores = {}
    for path in itertools.product(range(len(chain.between)), repeat=len(emissions)):
        score = chain.start[path[0]] + chain.end[path[-1]]
        score += sum(emissions[t, tag] for t, tag in enumerate(path))
        score += sum(chain.between[a, b] for a, b in itertools.pairwise(path))
        scores[path] = float(score)
    top = np.logaddexp.reduce(list(scores.values()))
    return {path: float(np.exp(score - top)) for path, score in scores.items()}


@pytest.mark.parametrize(("dtype", "precision"), [(np.float32, 1e-5), (np.float64, 1e-12)])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_marginals_are_those_of_enumeration(length: int, dtype: type, precision: float) -> None:
    dice = np.random.default_rng(length)
    chain = Chain(*(dice.normal(size=shape).astype(dtype) for shape in ((3, 3), 3, 3)))
    emissions: NDArray[np.floating] = dice.normal(size=(length, 3)).astype(dtype)
    expected = np.zeros((length, 3))
    for path, probability in enumerated(emissions, chain).items():
        expected[np.arange(length), path] += probability
    (found,) = posteriors([emissions], chain)
    assert found.marginals.dtype == dtype
    assert found.marginals == pytest.approx(expected, abs=precision)


def test_company_changes_nothing() -> None:
    dice = np.random.default_rng(3)
    chain = Chain(dice.normal(size=(4, 4)).astype(np.float32))
    sequences = [dice.normal(size=(n, 4)).astype(np.float32) for n in (3, 0, 9, 1, 6)]
    for rows, found in zip(sequences, posteriors(sequences, chain), strict=True):
        assert found.marginals == pytest.approx(posteriors([rows], chain)[0].marginals, abs=1e-6)
        assert found.marginals.sum(axis=1) == pytest.approx(np.ones(len(rows)), abs=1e-5)


def test_nothing_to_judge() -> None:
    chain = Chain(np.zeros((5, 5)))
    assert posteriors([], chain) == []
    assert posteriors([np.empty((0, 5))], chain)[0].marginals.shape == (0, 5)
    assert chain.best_paths([np.empty((0, 5))])[0].tolist() == []


@pytest.mark.parametrize("scheme", ["BIO", "BIOES"])
@pytest.mark.parametrize("seed", range(5))
def test_chunk_probabilities_are_those_of_enumeration(scheme: Scheme, seed: int) -> None:
    dice = np.random.default_rng(seed)
    tags = tag_set(["CALLE"] if scheme == "BIOES" else ["CALLE", "PAIS"], scheme)
    scores = np.where(allowed_steps(tags), dice.normal(size=(len(tags) + 1, len(tags) + 1)), FORBIDDEN)
    chain = Chain(scores[:-1, :-1], scores[-1, :-1], scores[:-1, -1])
    emissions = 1.5 * dice.normal(size=(5, len(tags)))
    emissions[:, 0] -= 1
    path = chain.best_paths([emissions])[0].tolist()
    everything = enumerated(emissions, chain)
    assert tuple(path) == max(everything, key=everything.__getitem__)
    chunks = decode([tags[i] for i in path])
    assert chunks
    found = posteriors([emissions], chain)[0].chunk_probabilities(path, chunks, tags)
    for chunk, probability in zip(chunks, found, strict=True):
        mass = sum(p for other, p in everything.items() if chunk in decode([tags[i] for i in other]))
        assert probability == pytest.approx(mass, abs=1e-8)
