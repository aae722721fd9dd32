"""What detectors see, and the way back to the text as stored."""

from __future__ import annotations

import unicodedata
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.document import Document, Span
from nadie.tokens.view import seen, view_of


@pytest.mark.parametrize(
    ("text", "view"),
    [
        ("Lugo", "Lugo"),
        ("a\r\nb\rc", "a\nb\nc"),
        ("\ufeffAna", "Ana"),
        ("Jose\u0301 Nun\u0303ez", "José Núñez".replace("ú", "u")),
        ("tel\u00a0912\u2009345", "tel 912 345"),
        ("６１２", "612"),
        ("o\ufb01cina", "oficina"),
        ("An\u200ba", "Ana"),
        ("Edad:\t70", "Edad: 70"),
        ("2º 1ª", "2º 1ª"),
        ("10 m²", "10 m²"),
    ],
)
def test_view(text: str, view: str) -> None:
    assert view_of(text).text == view


@pytest.mark.parametrize("form", ["NFC", "NFD"])
def test_a_span_comes_back_to_its_own_letters(form: Literal["NFC", "NFD"]) -> None:
    text = unicodedata.normalize(form, "Sr. José Núñez\r\nLugo")
    view = view_of(text)
    at = view.text.index("José")
    start, end = view.to_original(at, at + len("José Núñez"))
    assert unicodedata.normalize("NFC", text[start:end]) == "José Núñez"
    assert view.to_view(start, end) == (at, at + len("José Núñez"))


def test_an_annotated_document_as_seen() -> None:
    text = "\ufeffAna\r\nPe\u0301rez"
    document = Document("d", text, (Span(1, 4, "NOMBRE_SUJETO_ASISTENCIA"), Span(6, 12, "NOMBRE_SUJETO_ASISTENCIA")))
    shown = seen(document)
    assert [shown.text_of(span) for span in shown.spans] == ["Ana", "Pérez"]
    assert seen(Document("d", "\u200bx", (Span(0, 1, "PAIS"),))).spans == ()


@given(st.text(alphabet=st.characters(codec="utf-8")))
def test_every_stretch_of_the_view_lies_in_the_original(text: str) -> None:
    view = view_of(text)
    ends = 0
    for i in range(len(view.text)):
        start, end = view.to_original(i, i + 1)
        assert 0 <= start < end <= len(text)
        assert end >= ends
        ends = end


def test_plain_text_is_its_own_view() -> None:
    assert view_of("Niño de 3 µg/dl – «alta» 2º\n").starts is None
    for text in ("a\tb", "a\u00a0b", "e\u0301", "a\rb", "ﬁ", "\u0140"):
        assert view_of(text).starts is not None
