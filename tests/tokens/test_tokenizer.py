"""Tokens split wherever a protected span may begin or end."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.files.annotated.reading import read_documents
from nadie.tokens.tokenizer import tokenize


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        (" \n\t", ""),
        ("Edad:68", "Edad : 68"),
        ("NºCol:28/28/12345", "N º Col : 28 / 28 / 12345"),
        ("1-A", "1 - A"),
        ("2ºB", "2 º B"),
        ("12/03/1983", "12 / 03 / 1983"),
        ("ana.p@sergas.es", "ana . p @ sergas . es"),
        ("MadridEspaña", "Madrid España"),
        ("mmHg", "mm Hg"),
        ("12mayo", "12 mayo"),
        ("C/ Ávila", "C / Ávila"),
        ("Nu\u0301n\u0303ez", "Nu\u0301n\u0303ez"),
        ("…¿Qué?", "… ¿ Qué ?"),
        ("a_b", "a _ b"),
        ("😀x", "😀 x"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert [token.text for token in tokenize(text)] == tokens.split()


@given(st.text())
def test_tokens_and_white_space_make_up_the_text(text: str) -> None:
    end = 0
    for token in tokenize(text):
        assert text[end : token.start].strip() == ""
        assert token.text == text[token.start : token.end] != ""
        end = token.end
    assert text[end:].strip() == ""


@pytest.mark.corpus
def test_gold_spans_align_with_tokens(meddocan: Path) -> None:
    total = aligned = 0
    for part in ("train", "dev"):
        for document in read_documents(meddocan / part / "brat"):
            tokens = tokenize(document.text)
            starts, ends = {token.start for token in tokens}, {token.end for token in tokens}
            total += len(document.spans)
            aligned += sum(span.start in starts and span.end in ends for span in document.spans)
    assert total > 17_000
    assert aligned / total > 0.9995
