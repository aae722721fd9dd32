"""From text to anonymized text, for any text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.document import Document, Span
from nadie.pipeline import Pipeline


class WordDetector:
    """Finds one word, wherever it stands."""

    name = "word"

    def __init__(self, word: str, label: str = "NOMBRE_SUJETO_ASISTENCIA") -> None:
        self.word, self.label = word, label

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = []
        for document in documents:
            starts = [i for i in range(len(document.text)) if document.text.startswith(self.word, i)]
            found.append(tuple(Span(i, i + len(self.word), self.label, 0.9, self.name) for i in starts))
        return found


def pipeline(word: str) -> Pipeline:
    return Pipeline(WordDetector(word), Engine(read_policy("default")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("Sin nombre", "Sin nombre"),
        ("Doña Inés.", "Doña [NOMBRE_SUJETO_ASISTENCIA]."),
        ("\ufeffInés\r\n\tInés\u00a0", "\ufeff[NOMBRE_SUJETO_ASISTENCIA]\r\n\t[NOMBRE_SUJETO_ASISTENCIA]\u00a0"),
        (
            unicodedata.normalize("NFD", "año: Inés"),
            unicodedata.normalize("NFD", "año: ") + "[NOMBRE_SUJETO_ASISTENCIA]",
        ),
        ("I\u200bnés", "[NOMBRE_SUJETO_ASISTENCIA]"),
    ],
)
def test_what_is_not_replaced_stays_to_the_letter(text: str, expected: str) -> None:
    assert pipeline("Inés").anonymize(text) == expected


def test_offsets_are_of_the_text_as_given() -> None:
    text = unicodedata.normalize("NFD", "á é í Inés")
    document = pipeline("Inés").annotate(text)
    assert [unicodedata.normalize("NFC", document.text_of(span)) for span in document.spans] == ["Inés"]
    assert document.text == text


def test_many_documents_come_lazily_and_in_order() -> None:
    def endless() -> object:
        number = 0
        while True:
            yield Document(str(number), "Inés " * (number % 3))
            number += 1

    results = pipeline("Inés").annotate_all(endless())  # type: ignore[arg-type]
    first = [next(results) for _ in range(40)]
    assert [document.id for document in first] == [str(i) for i in range(40)]
    assert [len(document.spans) for document in first] == [i % 3 for i in range(40)]


def test_meta_and_id_stay() -> None:
    document = pipeline("Inés").annotate(Document("7", "Inés", (), {"patient": "p"}))
    assert (document.id, dict(document.meta)) == ("7", {"patient": "p"})


@pytest.mark.parametrize("found", [" Inés", "Inés ", "  Inés \n", "\nInés\n"])
def test_spans_lose_white_space_at_their_ends(found: str) -> None:
    text = f"Doña{found}sigue."
    document = pipeline(found).annotate(text)
    assert [document.text_of(span) for span in document.spans] == ["Inés"]
    assert [(span.label, span.score, span.source) for span in document.spans] == [
        ("NOMBRE_SUJETO_ASISTENCIA", 0.9, "word")
    ]


@pytest.mark.parametrize("found", ["I", " I", "I "])
def test_a_span_of_one_letter_stays(found: str) -> None:
    document = pipeline(found).annotate(f"x{found}x")
    assert [document.text_of(span) for span in document.spans] == ["I"]


@pytest.mark.parametrize("found", [" ", "  \n", ", ", "-"])
def test_a_span_without_a_letter_or_a_digit_is_dropped(found: str) -> None:
    assert not pipeline(found).annotate(f"x{found}x").spans
