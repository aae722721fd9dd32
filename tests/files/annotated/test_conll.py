"""CoNLL: spans are preserved exactly, and files of other programs are read."""

from __future__ import annotations

from itertools import accumulate
from pathlib import Path

import pytest
from hypothesis import given, settings

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files.annotated.conll import Conll, format_conll, parse_conll
from nadie.files.label_sets import MEDDOCAN, PRESIDIO

from .documents import documents


def test_tokens_offsets_and_tags(tmp_path: Path) -> None:
    spans = (Span(0, 9, "NOMBRE_SUJETO_ASISTENCIA"), Span(26, 31, "TERRITORIO"))
    note = Document("a/b", "Ana Pérez,NHC12.\n\nVive en Ávila.", spans)
    Conll().write([note], tmp_path)
    lines = (tmp_path / "a/b.conll").read_text(encoding="utf-8").split("\n")
    assert lines[:3] == [
        "Ana\t0\t3\tB-NOMBRE_SUJETO_ASISTENCIA",
        "Pérez\t4\t9\tI-NOMBRE_SUJETO_ASISTENCIA",
        ",\t9\t10\tO",
    ]
    assert "" in lines[:-1]
    [back] = Conll().read(tmp_path)
    assert (back.id, back.spans) == (note.id, note.spans)
    assert back.text.split() == note.text.split()
    assert [back.text_of(span) for span in back.spans] == ["Ana Pérez", "Ávila"]


def test_a_span_that_ends_inside_of_a_token_is_kept() -> None:
    note = Document("a", "xxAnaxx", (Span(2, 5, "NOMBRE_SUJETO_ASISTENCIA"),))
    content = format_conll(note, MEDDOCAN)
    assert parse_conll(content, "a", MEDDOCAN, "a") == note


@settings(max_examples=80)
@given(documents())
def test_spans_come_back_or_are_refused(document: Document) -> None:
    try:
        content = format_conll(document, MEDDOCAN)
    except FormatError:
        ends = [0, *accumulate((span.end for span in document.spans), max)]
        has_overlap = any(span.start < end for span, end in zip(document.spans, ends, strict=False))
        assert has_overlap or any(not document.text_of(span).strip() for span in document.spans)
        return
    back = parse_conll(content, document.id, MEDDOCAN, "a")
    assert len(back.spans) == len(document.spans)
    for old, new in zip(document.spans, back.spans, strict=True):
        assert (old.label, document.text_of(old).split()) == (new.label, back.text_of(new).split())
        assert old.start <= new.start <= new.end <= old.end


@pytest.mark.parametrize(
    "content",
    [
        "-DOCSTART- -X- O O\n\nAna NNP B-NP B-PERSON\nPérez NNP I-NP I-PERSON\n. . O O\n\nFin NN O O\n",
        "Ana\tB-PERSON\r\nPérez\tI-PERSON\r\n.\tO\r\n\r\nFin\tO\r\n",
    ],
)
def test_files_of_others(content: str) -> None:
    back = parse_conll(content, "a", PRESIDIO, "a")
    assert back.text == "Ana Pérez .\nFin"
    assert back.spans == (Span(0, 9, "NOMBRE_SUJETO_ASISTENCIA"),)


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("Ana\n", "not a token and a tag"),
        ("Ana\tB\n", "the tag is not O"),
        ("Ana\tB-ANA\n", "not one of the 29"),
        ("Ana\t5\t9\tO\n", "offsets do not match"),
        ("Ana\t0\t3\tO\nEva\t1\t4\tO\n", "offsets do not match"),
    ],
)
def test_errors_name_the_line_and_not_the_text(content: str, told: str) -> None:
    with pytest.raises(FormatError, match=told) as caught:
        parse_conll(content, "a", MEDDOCAN, "a.conll")
    assert "Ana" not in str(caught.value)
