"""Ordinary words in lower case that a model labels as a name, because somebody in the note bears it."""

from __future__ import annotations

import pytest

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.resolve.common_words import without_common_words

STAFF = Label.NOMBRE_PERSONAL_SANITARIO


def _kept(text: str, *words: str) -> list[str]:
    """The text of the spans that are left, of one span for each of the words, in their order."""
    spans, end = [], 0
    for word in words:
        start = text.index(word, end)
        end = start + len(word)
        spans.append(Span(start, end, STAFF, 0.9))
    return [text[span.start : span.end] for span in without_common_words(Document("nota", text), spans)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Dr. Garza: marcha en garza", ("Garza", "garza")),
        ("Dr. Moreno: nevus moreno", ("Moreno", "nevus", "moreno")),
        ("Dr. Rubio: cabello rubio", ("Rubio", "cabello rubio")),
        ("Dr. Bueno: estado general bueno", ("Bueno", "general bueno")),
        ("Dra. Luz: reflejo a la luz", ("Luz", "luz")),
        ("Dra. Delgado. Paciente delgado.", ("Delgado", "delgado")),
    ],
)
def test_a_common_word_beside_somebody_of_that_name_is_no_name(text: str, words: tuple[str, ...]) -> None:
    assert _kept(text, *words) == [words[0]]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Rosa Gil. La paciente rosa refiere dolor", ("Rosa Gil", "rosa")),
        ("Dr. Garza. Avisar a dr. garza", ("Garza", "garza")),
        ("Dr. Fernández: visto por fernández", ("Fernández", "fernández")),
        ("dr. garza: marcha en garza", ("garza", "garza")),
        ("Dr. Soto: firma garza", ("Soto", "garza")),
        ("Juan Luz Cano, iniciales jl y luz", ("Juan Luz Cano", "jl")),
    ],
)
def test_other_names_in_lower_case_stay(text: str, words: tuple[str, ...]) -> None:
    assert _kept(text, *words) == list(words)
