"""Spans and documents cannot be built invalid."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.errors import SpanError


@pytest.mark.parametrize(
    ("start", "end", "label", "score"),
    [
        (-1, 3, "PAIS", 1.0),
        (3, 3, "PAIS", 1.0),
        (4, 3, "PAIS", 1.0),
        (0, 3, "NOWHERE", 1.0),
        (0, 3, "", 1.0),
        (0, 3, "PAIS", 1.01),
        (0, 3, "PAIS", -0.1),
        (0, 3, "PAIS", float("nan")),
    ],
)
def test_a_span_that_cannot_be(start: int, end: int, label: str, score: float) -> None:
    with pytest.raises(SpanError):
        Span(start, end, label, score)


def test_spans_are_equal_by_place_and_label() -> None:
    assert Span(0, 3, "PAIS", 0.5, "a") == Span(0, 3, "PAIS", 0.9, "b")
    assert Span(0, 3, "PAIS") != Span(0, 3, "FECHAS")
    assert len(Span(2, 7, "PAIS")) == 5


def test_overlap_and_containment() -> None:
    assert Span(0, 3, "PAIS").overlaps(Span(2, 5, "PAIS"))
    assert not Span(0, 3, "PAIS").overlaps(Span(3, 5, "PAIS"))
    assert Span(0, 5, "PAIS").contains(Span(1, 5, "FECHAS"))
    assert not Span(1, 5, "PAIS").contains(Span(0, 5, "FECHAS"))


def test_a_document_sorts_its_spans_and_drops_duplicates() -> None:
    document = Document(
        "d", "Lugo y Vigo", (Span(7, 11, "TERRITORIO"), Span(0, 4, "TERRITORIO"), Span(0, 4, "TERRITORIO"))
    )
    assert [document.text_of(span) for span in document.spans] == ["Lugo", "Vigo"]


def test_of_equal_spans_the_surest_stays() -> None:
    for scores in ((0.2, 0.9), (0.9, 0.2)):
        document = Document("d", "Lugo", tuple(Span(0, 4, "TERRITORIO", score) for score in scores))
        assert [span.score for span in document.spans] == [0.9]


def test_a_span_beyond_the_text_is_refused_without_quoting_it() -> None:
    with pytest.raises(SpanError) as caught:
        Document("d", "Lugo", (Span(0, 5, "TERRITORIO"),))
    assert "Lugo" not in str(caught.value)


def test_meta_cannot_be_changed() -> None:
    given = {"patient": "1"}
    document = Document("d", "x", (), given)
    given["patient"] = "2"
    assert document.meta["patient"] == "1"
    with pytest.raises(TypeError):
        document.meta["patient"] = "3"  # type: ignore[index]
    assert hash(document) == hash(Document("d", "x"))
