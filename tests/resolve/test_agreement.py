"""A name found once is found everywhere in its note, and nothing else is."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.resolve.agreement import agree


def found(text: str, name: str, label: str = "NOMBRE_SUJETO_ASISTENCIA", score: float = 0.99) -> list[str]:
    start = text.index(name)
    document = Document("d", text)
    spans = agree(document, [Span(start, start + len(name), label, score, "test")])
    return [document.text_of(span) for span in spans]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("Ana Urrutia Gil. La Sra. Urrutia refiere dolor", "Ana Urrutia Gil", ["Ana Urrutia Gil", "Urrutia"]),
        ("Pedro Soto. Avisa Pedro Soto.", "Pedro Soto", ["Pedro Soto", "Pedro Soto"]),
        ("Blanca Ruiz. Sustancia blanca.", "Blanca Ruiz", ["Blanca Ruiz"]),
        ("Luz Rey. Luz de luna, Rey de copas", "Luz Rey", ["Luz Rey"]),
        ("Ana Urrutia. Urrutiaga no es ella", "Ana Urrutia", ["Ana Urrutia"]),
    ],
)
def test_names(text: str, name: str, expected: list[str]) -> None:
    assert found(text, name) == expected


def test_only_sure_names_spread() -> None:
    text = "Ana Urrutia Gil. La Sra. Urrutia"
    assert found(text, "Ana Urrutia Gil", score=0.5) == ["Ana Urrutia Gil"]
    assert found(text, "Ana Urrutia Gil", label="HOSPITAL") == ["Ana Urrutia Gil"]


def test_what_is_covered_stays_as_it_is() -> None:
    document = Document("d", "Ana Vitoria. Nació en Vitoria")
    spans = [Span(0, 11, "NOMBRE_SUJETO_ASISTENCIA", 1.0), Span(22, 29, "TERRITORIO", 0.6)]
    assert agree(document, spans) == tuple(spans)
