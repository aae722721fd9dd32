"""From text to anonymized text, for any text."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import FIELD, Document, Span
from nadie.options import Spans
from nadie.resolve.lists import Lists
from nadie.run.pipeline import Pipeline


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
    return Pipeline(WordDetector(word), Engine(read_policy("default"), Key.random()))


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


def test_only_the_wanted_labels_are_found_but_known_identities_and_denied_terms_always() -> None:
    text = "Inés vive en Lugo. Ver a Berta y Omega."
    whole = replace(
        pipeline("Inés"),
        known=WordDetector("Berta", "NOMBRE_PERSONAL_SANITARIO"),
        lists=Lists.of((), [("Omega", "OTROS_SUJETO_ASISTENCIA")]),
    )
    for labels, expected in (
        (None, ["Inés", "Berta", "Omega"]),
        (frozenset({"NOMBRE_SUJETO_ASISTENCIA"}), ["Inés", "Berta", "Omega"]),
        (frozenset({"FECHAS"}), ["Berta", "Omega"]),
    ):
        document = replace(whole, labels=labels).annotate(text)
        assert [document.text_of(span) for span in document.spans] == expected


@pytest.mark.parametrize(
    ("spans", "source", "expected"),
    [
        (Spans.GIVEN, "brat", "Inés vive en [TERRITORIO]."),
        (Spans.GIVEN, FIELD, "[NOMBRE_SUJETO_ASISTENCIA] vive en [TERRITORIO]."),
        (Spans.FOUND, "brat", "[NOMBRE_SUJETO_ASISTENCIA] vive en Lugo."),
        (Spans.FOUND, FIELD, "[NOMBRE_SUJETO_ASISTENCIA] vive en [TERRITORIO]."),
        (Spans.BOTH, "brat", "[NOMBRE_SUJETO_ASISTENCIA] vive en [TERRITORIO]."),
    ],
)
def test_spans_that_a_document_came_with(spans: Spans, source: str, expected: str) -> None:
    document = Document("", "Inés vive en Lugo.", (Span(13, 17, "TERRITORIO", 1.0, source),))
    assert replace(pipeline("Inés"), spans=spans).anonymize(document) == expected


def test_documents_with_and_without_spans_keep_their_order() -> None:
    given = [Document(str(n), f"Inés {n}", (Span(5, 6, "FECHAS"),) if n % 2 else ()) for n in range(9)]
    texts = [result.text for result in pipeline("Inés").anonymize_all(given)]
    assert texts == ["Inés [FECHAS]" if n % 2 else f"[NOMBRE_SUJETO_ASISTENCIA] {n}" for n in range(9)]


class Silent:
    """Finds nothing."""

    name = "silent"

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [() for _ in documents]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ('id = "12345678Z"', "12345678Z"),
        ("a;X1234567L;b", "X1234567L"),
        ("VALUES ('ES9121000418450200051332')", "ES9121000418450200051332"),
        ("<td>4111111111111111</td>", "4111111111111111"),
        ('id = "12345678A"', ""),
        ("Plaquetas 250000, glucosa 98", ""),
    ],
)
def test_a_number_whose_check_digits_hold_is_found_whatever_the_model_finds(text: str, number: str) -> None:
    spans = Pipeline(Silent()).annotate(text).spans
    assert [text[span.start : span.end] for span in spans] == ([number] if number else [])
    only_dates = Pipeline(Silent(), labels=frozenset({"FECHAS"}))
    assert only_dates.annotate(text).spans == ()


def test_the_rest_of_a_number_is_found_if_the_model_finds_a_part_of_it() -> None:
    text = "HB 13,2; 12345678Z; Cr 0,9"

    class Digits(Silent):
        def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
            return [(Span(9, 17, "FECHAS", 0.3),) for _ in documents]

    [span] = Pipeline(Digits()).annotate(text).spans
    assert (text[span.start : span.end], span.label) == ("12345678Z", "ID_SUJETO_ASISTENCIA")
