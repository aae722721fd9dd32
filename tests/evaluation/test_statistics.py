"""Confidence intervals, the significance test, and the operating points."""

from __future__ import annotations

import random

import numpy as np
import pytest

from evaluation.build import DATE, NAME, TOWN, document, pair_of
from nadie.document import Document, Span
from nadie.errors import CorpusError
from nadie.evaluation import statistics
from nadie.evaluation.curve import curve, has_scores
from nadie.evaluation.evaluate import Evaluation, compare, evaluate
from nadie.evaluation.pairing import Pair

TEXT = "Ana vive en Soria desde 1999 con Luis y con Eva"
WORDS = (("Ana", NAME), ("Soria", TOWN), ("1999", DATE), ("Luis", NAME), ("Eva", NAME))


def corpus(size: int) -> list[Document]:
    return [document(TEXT, *WORDS, name=f"d{i:03}") for i in range(size)]


def noisy(gold: list[Document], recall: float, seed: int) -> list[Document]:
    """Each span is kept with that chance."""
    chance = random.Random(seed)
    return [each.with_spans(span for span in each.spans if chance.random() < recall) for each in gold]


def evaluated(recall: float, seed: int = 1, size: int = 60) -> Evaluation:
    gold = corpus(size)
    return evaluate(gold, noisy(gold, recall, seed))


def test_interval_is_around_the_score_and_of_the_size_theory_gives() -> None:
    evaluation = evaluated(0.8, size=200)
    interval = evaluation.intervals["subtask1.recall"]
    assert interval is not None
    recall = evaluation.subtask1.recall
    assert interval.low < recall < interval.high
    expected = 2 * 1.96 * (recall * (1 - recall) / 1000) ** 0.5
    assert interval.high - interval.low == pytest.approx(expected, rel=0.25)


def test_interval_is_the_same_for_the_same_seed_only() -> None:
    measures = evaluated(0.8).measures
    assert statistics.intervals(measures, seed=3) == statistics.intervals(measures, seed=3)
    assert statistics.intervals(measures, seed=3) != statistics.intervals(measures, seed=4)


def test_blocks_of_resamples_are_as_many_as_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "_CELLS", 700)
    blocks = list(statistics._weights(60, seed=0, resamples=100))
    assert sum(len(block) for block in blocks) == 100
    assert len(blocks) > 1
    assert all((block.sum(1) == 60).all() for block in blocks)


def test_no_interval_where_there_is_nothing_to_divide_by() -> None:
    gold = [document(TEXT, ("Ana", NAME), name="a"), document(TEXT, ("Ana", NAME), name="b")]
    evaluation = evaluate(gold, [each.with_spans(()) for each in gold])
    assert evaluation.intervals["subtask1.precision"] is None
    assert evaluation.intervals["subtask1.f1"] == (0.0, 0.0)


def test_a_rare_type_gets_no_zero_from_resamples_without_it() -> None:
    gold = corpus(30)
    gold[7] = document(TEXT, *WORDS, ("con", "PROFESION"), name="d007")
    evaluation = evaluate(gold, gold)
    assert evaluation.label_intervals["PROFESION.f1"] == (1.0, 1.0)


def test_perfect_system_has_a_point_for_an_interval() -> None:
    gold = corpus(5)
    assert evaluate(gold, gold).intervals["merged.f1"] == (1.0, 1.0)


def test_a_system_does_not_differ_from_itself() -> None:
    differences = compare(evaluated(0.8), evaluated(0.8))
    assert all(each.p == 1.0 for each in differences.values())
    assert all(each.difference == 0.0 for each in differences.values())
    assert differences["subtask1.f1"].interval == (0.0, 0.0)


def test_a_much_better_system_is_told_apart() -> None:
    differences = compare(evaluated(0.5), evaluated(0.95, seed=2))
    f1 = differences["subtask1.f1"]
    assert f1.p == pytest.approx(1 / (statistics.SHUFFLES + 1))
    assert f1.difference is not None
    assert f1.interval is not None
    assert 0 < f1.interval.low < f1.difference < f1.interval.high


def test_p_of_two_documents_is_exact() -> None:
    # One document better, one alike: half of the exchanges leave the difference, the other half turn its sign.
    gold = corpus(2)
    one = evaluate(gold, [gold[0].with_spans(gold[0].spans[:2]), gold[1]])
    other = evaluate(gold, gold)
    assert statistics.p_values(one.measures, other.measures)["subtask1.recall"] == 1.0


def test_p_is_uniform_when_systems_are_alike() -> None:
    p = [
        statistics.p_values(
            evaluated(0.8, seed, size=25).measures, evaluated(0.8, seed + 100, size=25).measures, shuffles=499
        )["subtask1.recall"]
        for seed in range(40)
    ]
    assert 0.3 < float(np.mean(p)) < 0.75
    assert sum(each < 0.05 for each in p) <= 7


def test_systems_on_other_documents_are_not_compared() -> None:
    with pytest.raises(CorpusError):
        compare(evaluated(0.8, size=5), evaluated(0.8, size=6))


def scored() -> list[Pair]:
    one = document("Ana Gil está en Soria", ("Ana Gil", NAME), ("Soria", TOWN), name="a")
    other = document("Luis habla", ("Luis", NAME), name="b")
    return [
        pair_of(one, ("Ana", NAME, 0.9), ("Gil", NAME, 0.4), ("Soria", TOWN, 0.7), ("está", NAME, 0.2)),
        pair_of(other, ("Luis", NAME, 0.8), ("habla", NAME, 0.6)),
    ]


def test_every_score_is_an_operating_point() -> None:
    points = {point.threshold: point for point in curve(scored(), token_count=100)}
    assert list(points) == [0.2, 0.4, 0.6, 0.7, 0.8, 0.9]
    assert [p.character_recall for p in points.values()] == pytest.approx([1, 1, 12 / 15, 12 / 15, 7 / 15, 3 / 15])
    assert [p.character_precision for p in points.values()] == pytest.approx([15 / 24, 15 / 20, 12 / 17, 1, 1, 1])
    assert [p.false_alarms_per_1000_tokens for p in points.values()] == [20, 10, 10, 0, 0, 0]
    assert [p.safe_documents for p in points.values()] == [1, 1, 0.5, 0.5, 0.5, 0]


def test_operating_points_agree_with_filtering() -> None:
    for point in curve(scored(), token_count=7):
        kept = [Pair(p.gold, p.gold.with_spans(s for s in p.found if s.score >= point.threshold)) for p in scored()]
        evaluation = evaluate([p.gold for p in kept], [p.system for p in kept])
        assert point.character_recall == evaluation.characters.recall
        assert point.character_precision == evaluation.characters.precision
        assert point.safe_documents == evaluation.safe_share


def test_overlapping_spans_cover_until_the_surest_goes() -> None:
    gold = document("Ana Gil", ("Ana Gil", NAME))
    points = curve([pair_of(gold, ("Ana", TOWN, 0.9), ("Ana Gil", NAME, 0.3))], token_count=2)
    assert [point.character_recall for point in points] == [1.0, 0.5]


def test_many_scores_are_thinned() -> None:
    text = "a " * 1000
    spans = [Span(2 * i, 2 * i + 1, NAME, i / 1000) for i in range(1000)]
    gold = Document("d", text, tuple(spans))
    points = curve([Pair(gold, gold)], token_count=1000)
    assert len(points) == 200
    assert (points[0].threshold, points[-1].threshold) == (0.0, 0.999)


def test_equal_scores_make_no_curve() -> None:
    gold = corpus(3)
    assert not has_scores([Pair(each, each) for each in gold])
    assert evaluate(gold, gold).curve == ()


def test_nothing_found_makes_no_curve() -> None:
    gold = corpus(2)
    assert evaluate(gold, []).curve == ()
