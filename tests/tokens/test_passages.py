"""Passages hold the whole document, and taking some out moves the spans of the rest."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from nadie.document import Document, Span
from nadie.tokens.passages import joined, passages

PIECES = ["El estudio no muestra otra lesión. ", "Vive en Lugo.\n", "NHC: 12. ", "\n", "Dr. Gil ", " "]


def test_a_sentence_is_a_passage() -> None:
    document = Document(
        "d", " Nombre: Ana.\nVive en Lugo. Sin fiebre.", (Span(9, 12, "NOMBRE_SUJETO_ASISTENCIA", 0.7, "x"),)
    )
    found = passages(document)
    assert [document.text[p.start : p.end] for p in found] == [" Nombre: Ana.\n", "Vive en Lugo. ", "Sin fiebre."]
    assert [p.words for p in found] == [4, 4, 3]
    left = joined(document, [found[2], found[0]])
    assert left.text == "Sin fiebre. Nombre: Ana.\n"
    assert [(left.text_of(s), s.score, s.source) for s in left.spans] == [("Ana", 0.7, "x")]


def test_a_span_holds_sentences_together() -> None:
    document = Document("d", "Sin fiebre. Calle Mayor 3.\nLugo. Alta.", (Span(12, 31, "CALLE"),))
    assert [document.text[p.start : p.end] for p in passages(document)] == [
        "Sin fiebre. ",
        "Calle Mayor 3.\nLugo. ",
        "Alta.",
    ]


def test_nothing_to_split() -> None:
    assert [tuple(p) for p in passages(Document("d", ""))] == [(0, 0, 0, ())]
    blank = Document("d", " \n ", (Span(0, 1, "FECHAS"),))
    assert joined(blank, passages(blank)) == blank
    assert joined(blank, []) == Document("d", "")


@given(st.data())
def test_all_passages_are_the_document(data: st.DataObject) -> None:
    text = "".join(data.draw(st.lists(st.sampled_from(PIECES), max_size=8)))
    cuts = [data.draw(st.integers(0, len(text))) for _ in range(6)]
    spans = [Span(min(a, b), max(a, b), "FECHAS") for a, b in zip(cuts[::2], cuts[1::2], strict=True) if a != b]
    document = Document("d", text, tuple(spans))
    found = passages(document)
    assert joined(document, found) == document
    kept = [p for p in found if data.draw(st.booleans())]
    left = joined(document, kept)
    assert [left.text_of(s) for s in left.spans] == [document.text_of(s) for p in kept for s in p.spans]
