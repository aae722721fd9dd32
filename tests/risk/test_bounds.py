"""Bounds against known figures, against scipy, and by simulation."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from nadie.risk.bounds import at_most_found, exact, notes_needed, weighted
from nadie.risk.recapture import chapman, unseen


@pytest.mark.parametrize(
    ("share", "found", "notes"),
    [(0.05, 0, 59), (0.02, 0, 149), (0.01, 0, 299), (0.005, 0, 598), (0.01, 1, 473), (0.01, 2, 628)],
)
def test_known_numbers_of_notes(share: float, found: int, notes: int) -> None:
    assert notes_needed(share, found) == notes
    assert exact(found, notes).at_most <= share < exact(found, notes - 1).at_most


def test_a_share_that_no_sample_can_state_is_an_error() -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        notes_needed(0.0)
    with pytest.raises(ValueError, match="too small"):
        notes_needed(1e-10)


@pytest.mark.parametrize(("found", "size"), [(0, 1), (0, 59), (1, 59), (7, 20), (20, 20), (3, 4000), (399, 4000)])
def test_exact_bounds_are_those_of_the_beta_distribution(found: int, size: int) -> None:
    share = exact(found, size)
    low = stats.beta.ppf(0.025, found, size - found + 1) if found else 0.0
    high = stats.beta.ppf(0.975, found + 1, size - found) if found < size else 1.0
    at_most = stats.beta.ppf(0.95, found + 1, size - found) if found < size else 1.0
    assert share == pytest.approx((found / size, low, high, at_most), abs=1e-9)


def test_the_tail_of_the_binomial() -> None:
    assert at_most_found(2, 100, 0.03) == pytest.approx(stats.binom.cdf(2, 100, 0.03))
    assert at_most_found(-1, 5, 0.5) == 0.0
    assert at_most_found(5, 5, 0.5) == 1.0


def test_weighted_bounds_are_those_of_fay_and_feuer() -> None:
    found, weights = np.array([1, 0, 0, 1, 0, 0, 0, 0.0]), np.array([1, 1, 1, 1, 3, 3, 3, 3.0])
    share = weighted(found.tolist(), [1.0] * 8, weights.tolist())
    rates = weights / weights.sum()
    y, v, largest = float(rates @ found), float(rates**2 @ found), rates.max()
    low = v / (2 * y) * stats.chi2.ppf(0.025, 2 * y * y / v)
    high = (v + largest**2) / (2 * (y + largest)) * stats.chi2.ppf(0.975, 2 * (y + largest) ** 2 / (v + largest**2))
    assert share.estimate == pytest.approx(y)
    assert share.low == pytest.approx(low)
    assert share.high == pytest.approx(min(1.0, high))


def test_equal_weights_give_the_exact_bounds() -> None:
    assert weighted([0, 1, 0, 0], [1] * 4, [2.5] * 4) == exact(1, 4)


def test_nothing_counted_says_nothing() -> None:
    assert weighted([], [], []).at_most == 1.0
    assert exact(0, 0).at_most == 1.0


def test_chapman_on_its_textbook_example() -> None:
    assert chapman(200, 100, 20) == pytest.approx(201 * 101 / 21 - 1)
    with pytest.raises(ValueError, match="more than each"):
        chapman(3, 3, 4)


def test_what_the_model_finds_alone_tells_what_the_readers_overlook() -> None:
    readers, model = set(range(10)), {0, 1, 2, 20, 21, 22}
    assert unseen(13, readers, set(range(5))) == 0
    assert unseen(13, readers, model) == pytest.approx(11 * 7 / 4 - 1 - 13)


@pytest.mark.parametrize(("leaks", "chances"), [(10, (0.8, 0.8, 0.5)), (30, (0.6, 0.6, 0.6)), (100, (0.9, 0.9, 0.3))])
def test_the_estimate_of_unknown_leaks_is_not_too_large_on_average(leaks: int, chances: tuple[float, ...]) -> None:
    """Finders who are independent are the worst case for a lower bound."""
    rng, estimates = np.random.default_rng(3), []
    for _ in range(2000):
        one, two, model = (set(np.flatnonzero(rng.random(leaks) < each).tolist()) for each in chances)
        known = len(one | two | model)
        estimates.append(known + unseen(known, one | two, model))
    assert float(np.mean(estimates)) < leaks * 1.02


def _covered(rate: float, oversampled: float, size: int, seed: int) -> float:
    """The share of samples whose bound holds: of a tenth of the notes, each is drawn `oversampled` times as often."""
    rng, repetitions, population = np.random.default_rng(seed), 300, 20_000
    unsure = np.arange(population) < population // 10
    leaks = rng.random(population) < rate * np.where(unsure, 3.0, 7 / 9)
    chances = np.where(unsure, oversampled, 1.0)
    chances *= size / chances.sum()
    truth, held = leaks.mean(), 0
    for _ in range(repetitions):
        drawn = rng.random(population) < chances
        bound = weighted(leaks[drawn].astype(float).tolist(), [1.0] * int(drawn.sum()), (1 / chances[drawn]).tolist())
        held += truth <= bound.at_most
    return held / repetitions


@pytest.mark.parametrize("share", [0.002, 0.005, 0.01])
def test_bounds_of_identifiers_hold_where_whole_notes_leak(share: float) -> None:
    rng, held = np.random.default_rng(5), 0
    for _ in range(300):
        sizes = rng.integers(1, 40, 200).astype(float)
        leaks = np.where(rng.random(200) < share, sizes, 0.0)
        held += share <= weighted(leaks, sizes, np.full(200, 9.0)).at_most
    assert held / 300 >= 0.925


@pytest.mark.parametrize("rate", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("oversampled", [1.0, 3.0])
def test_bounds_hold_as_often_as_they_say(rate: float, oversampled: float) -> None:
    assert _covered(rate, oversampled, 300, 7) >= 0.925  # 95 % less two standard errors of 300 repetitions
