"""Best paths through a chain, against an enumeration of all paths."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from nadie.crf.viterbi import FORBIDDEN, Chain, Scores


def slow(scores: Scores, steps: Scores) -> tuple[int, ...]:
    paths = itertools.product(range(len(steps)), repeat=len(scores))

    def worth(path: tuple[int, ...]) -> float:
        return float(
            sum(scores[t, tag] for t, tag in enumerate(path)) + sum(steps[a, b] for a, b in itertools.pairwise(path))
        )

    return max(paths, key=worth)


def random_steps(dice: np.random.Generator, tags: int, forbidden: float) -> Scores:
    steps: Scores = dice.normal(size=(tags, tags)).astype(np.float32)
    steps[dice.random((tags, tags)) < forbidden] = FORBIDDEN
    np.fill_diagonal(steps, 0.5)
    return steps


@pytest.mark.parametrize("forbidden", [0.0, 0.3, 0.85])
@pytest.mark.parametrize("tags", [2, 5])
@pytest.mark.parametrize("length", [1, 2, 5])
def test_against_enumeration(length: int, tags: int, forbidden: float) -> None:
    dice = np.random.default_rng([length, tags])
    for _ in range(20):
        steps = random_steps(dice, tags, forbidden)
        scores = dice.normal(size=(length, tags)).astype(np.float32)
        assert tuple(Chain(steps).best_paths([scores])[0]) == slow(scores, steps)


@pytest.mark.parametrize("score", [0.0, -1.5])
@pytest.mark.parametrize("forbidden", [0.0, 0.3, 0.85])
def test_even_scores_against_enumeration(forbidden: float, score: float) -> None:
    """Transitions that are allowed without preference, as decoders of probabilities have them."""
    dice = np.random.default_rng([13, int(10 * forbidden)])
    for _ in range(40):
        steps = np.where(random_steps(dice, 5, forbidden) > FORBIDDEN, score, FORBIDDEN).astype(np.float32)
        scores = dice.normal(size=(4, 5)).astype(np.float32)
        assert tuple(Chain(steps).best_paths([scores])[0]) == slow(scores, steps)


def test_company_changes_nothing() -> None:
    """Sequences of many lengths, more than fit into one go, and an empty one."""
    dice = np.random.default_rng(7)
    chain = Chain(random_steps(dice, 60, 0.4))
    sequences = [dice.normal(size=(int(n), 60)).astype(np.float32) for n in [0, *dice.integers(1, 40, 90)]]
    together = chain.best_paths(sequences)
    assert [len(path) for path in together] == [len(rows) for rows in sequences]
    for rows, path in zip(sequences, together, strict=True):
        assert path.tolist() == chain.best_paths([rows])[0].tolist()


def test_sure_tags_part_a_sequence_without_changing_its_path() -> None:
    """The marginals that split are the true ones, by enumeration: where they are certain, the best path is the same."""
    dice = np.random.default_rng(11)
    tags, length = 3, 7
    parted = 0
    for _ in range(200):
        steps = dice.normal(size=(tags, tags)).astype(np.float32)
        scores = (dice.normal(size=(length, tags)) * 2).astype(np.float32)
        scores[dice.random(length) < 0.4, 0] += 20
        marginals = np.zeros((length, tags))
        for path in itertools.product(range(tags), repeat=length):
            score = sum(scores[t, tag] for t, tag in enumerate(path))
            score += sum(steps[a, b] for a, b in itertools.pairwise(path))
            marginals[np.arange(length), path] += np.exp(float(score))
        marginals /= marginals.sum(axis=1, keepdims=True)
        parted += int((marginals[:, 0] > 0.9999).sum())
        chain = Chain(steps)
        assert chain.likely_paths([scores], [marginals], 0)[0].tolist() == chain.best_paths([scores])[0].tolist()
    assert parted > 200


def test_a_sure_note_is_not_looked_at() -> None:
    scores = np.zeros((4, 2), dtype=np.float32)
    sure = np.tile([1.0, 0.0], (4, 1))
    assert Chain(np.zeros((2, 2))).likely_paths([scores], [sure], 0)[0].tolist() == [0, 0, 0, 0]
