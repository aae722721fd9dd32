from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given

from evaluation.build import DATE, DOCTOR, NAME, TOWN, document, pair_of, span_lists
from nadie.document import Document, Span
from nadie.evaluation.errors import ErrorKind, align, confusion
from nadie.evaluation.pairing import Pair

GOLD = document("Ana Ruiz Gil, de Soria, España.", ("Ana Ruiz", NAME), ("Soria", TOWN), ("España", DOCTOR))


@pytest.mark.parametrize(
    ("found", "kinds", "leaks"),
    [
        ((("Ana Ruiz", NAME), ("Soria", TOWN), ("España", DOCTOR)), [None, None, None], 0),
        ((), ["miss", "miss", "miss"], 18),
        ((("Ana Ruiz", TOWN),), ["wrong_label", "miss", "miss"], 11),
        ((("Ana", NAME),), ["wrong_boundary", "miss", "miss"], 15),
        ((("Ana Ruiz Gil", NAME),), ["wrong_boundary", "miss", "miss"], 11),
        ((("Ruiz Gil", TOWN),), ["wrong_label_and_boundary", "miss", "miss"], 14),
        ((("Gil", NAME),), ["miss", "false_alarm", "miss", "miss"], 18),
        # One span over two: neither is missed, since nothing of them can be read.
        ((("Soria, España", TOWN),), ["miss", "wrong_boundary", "wrong_label_and_boundary"], 7),
        # Two spans on one: the better answers, the other is a fragment.
        ((("Ana", NAME), ("Ana Ruiz", NAME)), [None, "wrong_boundary", "miss", "miss"], 11),
        ((("Ana Ruiz", DATE), ("Ana Ruiz", NAME)), [None, "wrong_label", "miss", "miss"], 11),
    ],
)
def test_kinds_of_error(found: tuple[tuple[str, str], ...], kinds: list[str | None], leaks: int) -> None:
    matches = align(pair_of(GOLD, *found))
    assert [match.kind for match in matches] == kinds
    assert sum(match.leaked for match in matches) == leaks


def test_same_type_is_preferred_to_more_in_common() -> None:
    (first, second) = align(
        pair_of(document("Ana Ruiz Gil", ("Ana Ruiz Gil", NAME)), ("Ana", NAME), ("Ruiz Gil", TOWN))
    )
    assert first.system is not None
    assert (first.system.label, first.kind, first.extra) == (NAME, ErrorKind.WRONG_BOUNDARY, False)
    assert (second.kind, second.extra) == (ErrorKind.WRONG_LABEL_AND_BOUNDARY, True)


def test_confusion_counts_each_gold_span_once() -> None:
    table = confusion(align(pair_of(GOLD, ("Ana", NAME), ("Ruiz", TOWN), ("Soria", DATE), ("de", DATE))))
    assert table.cells == {(NAME, NAME): 1, (TOWN, DATE): 1, (DOCTOR, None): 1, (None, DATE): 1}
    assert table.labels == (NAME, DOCTOR, TOWN, DATE)
    assert table.row(TOWN) == 1
    assert table.row(None) == 1
    assert {kind: count for kind, count in table.kinds.items() if count} == {
        ErrorKind.MISS: 1,
        ErrorKind.WRONG_BOUNDARY: 1,
        ErrorKind.WRONG_LABEL_AND_BOUNDARY: 1,
        ErrorKind.WRONG_LABEL: 1,
        ErrorKind.FALSE_ALARM: 1,
    }


spans = span_lists(30, 10)


@given(gold=spans, system=spans)
def test_nothing_is_lost_in_alignment(gold: list[Span], system: list[Span]) -> None:
    text = "Ana Ruiz, de 40 a., vive aquí."
    pair = Pair(Document("d", text, tuple(gold)), Document("d", text, tuple(system)))
    matches = align(pair)
    answered = [match for match in matches if match.gold and not match.extra]
    assert Counter(match.gold for match in answered) == Counter(pair.expected)
    assert {match.system for match in matches if match.system} == set(pair.found)
    for match in matches:
        if match.kind is ErrorKind.MISS:
            assert not any(match.gold and match.gold.overlaps(found) for found in pair.found)
        if match.kind is ErrorKind.FALSE_ALARM:
            assert not any(match.system and match.system.overlaps(expected) for expected in pair.expected)
