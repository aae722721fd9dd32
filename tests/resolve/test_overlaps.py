"""Overlapping spans become disjoint, and everything that was covered stays covered."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from nadie.document import FIELD, Document, Span
from nadie.resolve.overlaps import disjoint, left_most_longest, with_fields

SPANS = st.lists(
    st.builds(
        lambda start, length, label, score: Span(start, start + length, label, score),
        st.integers(0, 30),
        st.integers(1, 10),
        st.sampled_from(["PAIS", "FECHAS", "CALLE"]),
        st.sampled_from([0.2, 0.5, 1.0]),
    ),
    max_size=8,
)


def covered(spans: object) -> set[int]:
    return {i for span in spans for i in range(span.start, span.end)}  # type: ignore[attr-defined]


def test_the_surest_wins_and_the_rest_of_the_loser_stays_covered() -> None:
    assert disjoint([Span(0, 10, "CALLE", 0.5), Span(4, 6, "FECHAS", 0.9)]) == (
        Span(0, 4, "CALLE"),
        Span(4, 6, "FECHAS"),
        Span(6, 10, "CALLE"),
    )
    assert disjoint([Span(0, 3, "PAIS"), Span(0, 5, "CALLE")]) == (Span(0, 5, "CALLE"),)


def test_of_equal_spans_the_surest_counts_in_any_order() -> None:
    spans = [Span(0, 1, "PAIS", 0.2), Span(0, 1, "PAIS", 0.5), Span(0, 1, "FECHAS", 0.2)]
    assert disjoint(spans) == disjoint(spans[::-1]) == (Span(0, 1, "PAIS"),)


def test_left_most_longest() -> None:
    spans = [Span(2, 9, "CALLE"), Span(0, 3, "PAIS"), Span(0, 4, "FECHAS"), Span(4, 5, "PAIS")]
    assert left_most_longest(spans) == (Span(0, 4, "FECHAS"), Span(4, 5, "PAIS"))


@given(SPANS)
def test_disjoint_covers_just_what_was_covered(spans: list[Span]) -> None:
    result = disjoint(spans)
    assert covered(result) == covered(spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(result))
    assert disjoint(reversed(spans)) == result
    assert disjoint(result) == result


@given(SPANS)
def test_left_most_longest_is_disjoint_and_invents_nothing(spans: list[Span]) -> None:
    result = left_most_longest(spans)
    assert set(result) <= set(spans)
    assert all(a.end <= b.start for a, b in itertools.pairwise(result))


def test_fields_of_a_file_take_precedence_and_the_rest_of_a_span_stays_covered() -> None:
    text = "Ana Soto , 70"
    document = Document("", text, (Span(4, 8, "CALLE", 1.0, FIELD), Span(11, 13, "FECHAS", 0.1, "other")))
    found = [Span(0, 13, "PAIS", 0.9, "x")]
    assert list(with_fields(document, found)) == [
        Span(4, 8, "CALLE", 1.0, FIELD),
        Span(0, 3, "PAIS", 0.9, "x"),
        Span(9, 13, "PAIS", 0.9, "x"),
    ]


def test_white_space_beside_a_field_is_no_span() -> None:
    document = Document("", "Ana  Soto", (Span(0, 3, "CALLE", 1.0, FIELD), Span(5, 9, "CALLE", 1.0, FIELD)))
    assert list(with_fields(document, [Span(2, 6, "PAIS")])) == list(document.spans)


def test_without_fields_nothing_changes() -> None:
    document = Document("", "Ana Soto", (Span(0, 3, "CALLE"),))
    found = (Span(0, 8, "PAIS"), Span(2, 4, "FECHAS"))
    assert tuple(with_fields(document, found)) == found
