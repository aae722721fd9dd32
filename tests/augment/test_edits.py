"""The edit primitive against a slow model of it that tags every character."""

from __future__ import annotations

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.augment.edits import TextEdit, borders, insertion, map_characters, rewrite, substitution
from nadie.augment.passage import AnnotatedText, marked
from nadie.document import Document, Span
from nadie.errors import SpanError

AGE, TOWN = "EDAD_SUJETO_ASISTENCIA", "TERRITORIO"


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """A text with disjoint, possibly adjacent spans."""
    text = draw(st.text(alphabet="aBñ é\u0301\n12ß", max_size=40))
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    spans = [Span(a, b, AGE) for a, b in zip(cuts[::2], cuts[1::2], strict=False)]
    return Document("d", text, tuple(spans))


@st.composite
def edited(draw: st.DrawFn) -> tuple[Document, list[TextEdit]]:
    """A document and edits that never cross a border."""
    document = draw(documents())
    stops = sorted({0, len(document.text), *borders(document)})
    edits = []
    for low, high in pairwise(stops):
        if draw(st.booleans()):
            start = draw(st.integers(low, high))
            end = draw(st.integers(start, high))
            edits.append(substitution(start, end, draw(st.text(alphabet="xyz ", max_size=4))))
    return document, edits


def model(document: Document, edits: list[TextEdit]) -> tuple[str, list[tuple[str, str]]]:
    """The new text, and each span's text, by tagging characters one by one."""
    owner = [-1] * len(document.text)
    for i, span in enumerate(document.spans):
        owner[span.start : span.end] = [i] * len(span)
    out: list[tuple[str, int]] = []
    at = 0
    for edit in sorted(edits, key=lambda e: (e.start, e.end)):
        out += [(document.text[i], owner[i]) for i in range(at, edit.start)]
        inside = owner[edit.start] if edit.start < edit.end else -1
        if edit.start == edit.end and 0 < edit.start < len(owner) and owner[edit.start - 1] == owner[edit.start]:
            inside = owner[edit.start]
        out += [(c, inside) for c in edit.passage.text]
        at = edit.end
    out += [(document.text[i], owner[i]) for i in range(at, len(owner))]
    texts = ["".join(c for c, o in out if o == i) for i in range(len(document.spans))]
    return "".join(c for c, _ in out), [(t, s.label) for t, s in zip(texts, document.spans, strict=True) if t]


@given(edited())
def test_every_span_follows_its_text(case: tuple[Document, list[TextEdit]]) -> None:
    document, edits = case
    new = rewrite(document, edits)
    text, spans = model(document, edits)
    assert new.text == text
    assert [(new.text_of(span), span.label) for span in new.spans] == spans


@given(documents())
def test_characters_map_inside_their_spans(document: Document) -> None:
    decomposed = map_characters(document, lambda c: unicodedata.normalize("NFD", c))
    shouted = map_characters(document, str.upper)
    assert [unicodedata.normalize("NFD", document.text_of(s)) for s in document.spans] == [
        decomposed.text_of(s) for s in decomposed.spans
    ]
    assert [document.text_of(s).upper() for s in document.spans] == [shouted.text_of(s) for s in shouted.spans]
    assert shouted.text == document.text.upper()


@given(edited(), st.text(alphabet="pq", min_size=1, max_size=3))
def test_an_inserted_passage_brings_its_own_spans(case: tuple[Document, list[TextEdit]], word: str) -> None:
    document, _ = case
    end = len(document.text)
    new = rewrite(document, [insertion(end, AnnotatedText("> ").then(marked(word, TOWN)))])
    assert [new.text_of(s) for s in new.spans if s.label == TOWN] == [word]
    assert [new.text_of(s) for s in new.spans if s.label == AGE] == [document.text_of(s) for s in document.spans]


DOCUMENT = Document("d", "vive en Lugo hoy", (Span(8, 12, TOWN),))


@pytest.mark.parametrize(
    ("edit", "text", "covered"),
    [
        (insertion(8, AnnotatedText("Monforte, ")), "vive en Monforte, Lugo hoy", ["Lugo"]),
        (insertion(12, AnnotatedText(" (ciudad)")), "vive en Lugo (ciudad) hoy", ["Lugo"]),
        (insertion(10, AnnotatedText("-")), "vive en Lu-go hoy", ["Lu-go"]),
        (substitution(8, 12, "Vigo"), "vive en Vigo hoy", ["Vigo"]),
        (substitution(8, 12, ""), "vive en  hoy", []),
        (substitution(5, 16, "lejos"), "vive lejos", []),
        (TextEdit(8, 12, AnnotatedText("A Estrada", (Span(2, 9, TOWN),))), "vive en A Estrada hoy", ["Estrada"]),
        (TextEdit(5, 16, AnnotatedText("en Foz", (Span(3, 6, TOWN),))), "vive en Foz", ["Foz"]),
    ],
)
def test_borders(edit: TextEdit, text: str, covered: list[str]) -> None:
    new = rewrite(DOCUMENT, [edit])
    assert new.text == text
    assert [new.text_of(s) for s in new.spans] == covered


@pytest.mark.parametrize(
    "edits",
    [
        [substitution(6, 10, "x")],
        [substitution(10, 14, "x")],
        [substitution(0, 4, "a"), substitution(3, 5, "b")],
        [substitution(0, 99, "")],
        [TextEdit(9, 11, marked("x", AGE))],
    ],
)
def test_an_inexact_edit_is_refused(edits: list[TextEdit]) -> None:
    with pytest.raises(SpanError):
        rewrite(DOCUMENT, edits)


def test_no_edits_no_change() -> None:
    assert rewrite(DOCUMENT, []) is DOCUMENT
