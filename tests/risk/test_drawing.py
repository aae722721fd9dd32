"""Samples: reproducible, of the size asked for, in proportion, and with the chances that they state."""

from __future__ import annotations

from collections import Counter

import pytest

from nadie.risk.drawing import draw

KINDS = [("a" if number % 4 else "b", number % 3) for number in range(400)]


def test_the_same_seed_draws_the_same() -> None:
    once, again, other = (draw(KINDS, [1.0] * 400, 40, seed) for seed in (5, 5, 6))
    assert once == again != other
    assert len(once) == len({each.number for each in once}) == 40
    assert {each.chance for each in once} == {0.1}


def test_every_kind_is_drawn_in_its_proportion() -> None:
    counts = Counter(KINDS[each.number][0] for each in draw(KINDS, [1.0] * 400, 40, 1))
    assert abs(counts["a"] - 30) <= 1


def test_the_order_of_review_is_not_the_order_of_the_kinds() -> None:
    sample = draw(KINDS, [1.0] * 400, 200, 1)
    assert {KINDS[each.number][0] for each in sample[:20]} == {"a", "b"}


def test_units_are_drawn_as_often_as_their_chance_says() -> None:
    sizes = [3.0 if number < 100 else 1.0 for number in range(400)]
    drawn = Counter(each.number < 100 for seed in range(200) for each in draw(KINDS, sizes, 60, seed))
    assert drawn[True] / 200 == pytest.approx(60 * 300 / 600, rel=0.02)
    weights = [sum(1 / each.chance for each in draw(KINDS, sizes, 60, seed)) for seed in range(200)]
    assert sum(weights) / 200 == pytest.approx(400, rel=0.02)


def test_a_unit_too_large_for_the_sample_is_always_drawn() -> None:
    sizes = [1000.0, *[1.0] * 99]
    for seed in range(20):
        sample = {each.number: each.chance for each in draw([("x",)] * 100, sizes, 10, seed)}
        assert sample[0] == 1.0
        assert len(sample) == 10


def test_a_small_collection_is_taken_whole() -> None:
    assert sorted(draw(KINDS[:5], [1.0] * 5, 50, 1)) == [(number, 1.0) for number in range(5)]
