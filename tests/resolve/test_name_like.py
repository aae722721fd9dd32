"""Words outside all spans that look like names: what an attacker reads first."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.resolve.name_like import name_like


def words(text: str, *spans: Span) -> list[str]:
    return [text[start:end] for start, end in name_like(Document("", text, spans))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Propone rotar el antibiótico Setién, que pasa mañana.", ["Setién"]),
        ("Lo valora Tripodi y lo confirma Oñederra.", ["Tripodi", "Oñederra"]),
        ("DISCUTIR CON BARCENILLA EN SESIÓN", ["BARCENILLA"]),
        ("Enfermedad de Wilson, Barthel 85, maniobra de Lasègue negativa.", []),
        ("Presenta dolores, tos y fiebre. Dolor en la fosa.", []),
        ("Toma omeprazol y Adiro. SatO2 95. UCIN.", []),
        ("se llama tripodi", []),
    ],
)
def test_words_that_look_like_names(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_what_a_span_covers_is_not_listed() -> None:
    text = "Lo valora Tripodi."
    assert words(text, Span(10, 17, "NOMBRE_PERSONAL_SANITARIO")) == []
