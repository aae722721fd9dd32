from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.build import DATE, DOCTOR, NAME, TOWN, document, pair_of, span_lists
from nadie.document import Document, Span
from nadie.evaluation import official
from nadie.evaluation.evaluate import Evaluation, evaluate_pairs
from nadie.evaluation.official import Counts
from nadie.evaluation.pairing import Pair, pair
from nadie.evaluation.reading import read_gold, read_system

TEXT = "Ana Ruiz Gil, de Soria. Visto el 3/4/2019 por Luis Paz."
GOLD = document(TEXT, ("Ana Ruiz", NAME), ("Soria", TOWN), ("3/4/2019", DATE), ("Luis Paz", DOCTOR))


@dataclass(frozen=True)
class Case:
    name: str
    found: tuple[tuple[str, str], ...]
    subtask1: Counts
    strict: Counts
    merged: Counts


CASES = (
    Case("nothing", (), Counts(0, 0, 4), Counts(0, 0, 4), Counts(0, 0, 4)),
    Case("another type", (("Soria", DATE),), Counts(0, 1, 4), Counts(1, 0, 3), Counts(1, 0, 3)),
    Case("too long", (("Ana Ruiz Gil", NAME),), Counts(0, 1, 4), Counts(0, 1, 4), Counts(0, 1, 4)),
    Case("too short", (("Ana", NAME),), Counts(0, 1, 4), Counts(0, 1, 4), Counts(0, 1, 4)),
    Case("split", (("Luis", DOCTOR), ("Paz", DOCTOR)), Counts(0, 2, 4), Counts(0, 2, 4), Counts(1, 0, 3)),
    Case(
        "split by signs", (("3", DATE), ("4", DATE), ("2019", DATE)), Counts(0, 3, 4), Counts(0, 3, 4), Counts(1, 0, 3)
    ),
    Case("false alarm", (("Visto", NAME),), Counts(0, 1, 4), Counts(0, 1, 4), Counts(0, 1, 4)),
    Case("twice", (("Soria", TOWN), ("Soria", DATE)), Counts(1, 1, 3), Counts(1, 0, 3), Counts(1, 0, 3)),
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_counts_of_one_document(case: Case) -> None:
    pair = pair_of(GOLD, *case.found)
    assert official.subtask1(pair) == case.subtask1
    assert official.strict(pair) == case.strict
    assert official.merged(pair) == case.merged


def test_merging_takes_the_later_end_even_inside() -> None:
    # The scorer's own rule: the nested span shortens the merged one, so it no longer equals gold's.
    text = "Ana Ruiz Gil"
    gold = Document("d", text, (Span(0, 12, NAME),))
    system = gold.with_spans((Span(0, 8, NAME), Span(4, 12, NAME), Span(9, 11, NAME)))
    assert official.merged(Pair(gold, system)) == Counts(0, 3, 1)


def test_letters_between_keep_spans_apart() -> None:
    gold = document("Soria y Burgos", ("Soria y Burgos", TOWN))
    assert official.merged(pair_of(gold, ("Soria", TOWN), ("Burgos", TOWN))) == Counts(0, 2, 1)


def test_each_type_apart() -> None:
    pair = pair_of(GOLD, ("Soria", DATE), ("3/4/2019", DATE))
    assert official.by_label(pair) == {
        DATE: Counts(1, 1, 0),
        DOCTOR: Counts(0, 0, 1),
        NAME: Counts(0, 0, 1),
        TOWN: Counts(0, 0, 1),
    }


@pytest.mark.parametrize(
    ("counts", "precision", "recall", "f1"),
    [
        (Counts(), 0.0, 0.0, 0.0),
        (Counts(0, 3, 0), 0.0, 0.0, 0.0),
        (Counts(0, 0, 3), 0.0, 0.0, 0.0),
        (Counts(3, 1, 0), 0.75, 1.0, 6 / 7),
        (Counts(1, 0, 1), 1.0, 0.5, 2 / 3),
    ],
)
def test_scores_of_counts(counts: Counts, precision: float, recall: float, f1: float) -> None:
    assert (counts.precision, counts.recall, counts.f1) == (precision, recall, f1)


def test_leak_of_no_sentences_is_nothing() -> None:
    assert official.leak(3, 0) == 0.0
    assert official.leak(3, 12) == 0.25


spans = span_lists(40, 12)
texts = st.text(st.sampled_from("aB3 ,.-\n"), min_size=40, max_size=40)


@given(text=texts, gold=spans, system=spans)
def test_laws_of_the_counts(text: str, gold: list[Span], system: list[Span]) -> None:
    pair = Pair(Document("d", text, tuple(gold)), Document("d", text, tuple(system)))
    mirrored = Pair(pair.system, pair.gold)
    for metric in (official.subtask1, official.strict, official.merged):
        counts, swapped = metric(pair), metric(mirrored)
        assert (counts.tp, counts.fp, counts.fn) == (swapped.tp, swapped.fn, swapped.fp)
    assert official.total(official.by_label(pair).values()) == official.subtask1(pair)
    assert official.subtask1(pair).tp + official.subtask1(pair).fn == len(pair.expected)
    assert official.merged(pair).fn <= official.strict(pair).fn
    assert official.merged(pair).fp <= official.strict(pair).fp


GOLDEN = ("crf", "empty", "joined", "nested_and_duplicate", "noisy", "perfect", "split_words")


@pytest.mark.corpus
@pytest.mark.parametrize("case", GOLDEN)
def test_the_official_scorer_agrees(case: str, meddocan: Path) -> None:
    folder = meddocan / "golden-scores" / case
    expected = json.loads((folder / "scores.json").read_text())
    ids = {file.stem for file in folder.glob("*.ann")}
    gold = [each for each in read_gold(meddocan / "dev" / "brat") if each.id in ids]
    sentences = json.loads((meddocan / "sentence-counts.json").read_text())
    evaluation = evaluate_pairs(pair(gold, read_system(folder, gold)), sentences=sentences)
    assert len(evaluation.documents) == 40
    assert not evaluation.missing
    assert golden_scores(evaluation) == pytest.approx(expected, abs=1e-12, rel=0)


@pytest.mark.corpus
def test_no_golden_case_is_left_out(meddocan: Path) -> None:
    assert sorted(folder.name for folder in (meddocan / "golden-scores").iterdir()) == list(GOLDEN)


def golden_scores(evaluation: Evaluation) -> dict[str, float]:
    """The scores under the names of the task's scorer."""
    scores = {"Subtask1_Leak": evaluation.leak}
    for name, counts in (
        ("Subtask1", evaluation.subtask1),
        ("Subtask2Strict", evaluation.strict),
        ("Subtask2Merged", evaluation.merged),
    ):
        scores |= {f"{name}_Precision": counts.precision, f"{name}_Recall": counts.recall, f"{name}_F1": counts.f1}
    return scores
