"""Allow- and deny-lists: their effect on spans, and the format of their files."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.resolve.lists import Lists
from nadie.resolve.terms import Terms, folded_words

NAME = "NOMBRE_SUJETO_ASISTENCIA"


def _kept(text: str, value: str, allow: list[str]) -> bool:
    start = text.index(value)
    span = Span(start, start + len(value), NAME)
    return Lists.of(allow).apply(Document("", text), [span]) == (span,)


@pytest.mark.parametrize(
    ("value", "allow", "kept"),
    [
        ("San Carlos", ["San Carlos"], False),
        ("SAN CARLOS", ["san carlos"], False),
        ("San-Carlos", ["San Carlos"], False),
        ("Ría de Vigo", ["ria de vigo"], False),
        ("San Carlos Ruiz", ["San Carlos"], True),
        ("Carlos", ["San Carlos"], True),
        ("San Carlos", ["San", "Carlos"], False),
        ("San Carlos", [], True),
        ("Sancarlos", ["San Carlos"], True),
    ],
)
def test_only_what_is_allowed_as_a_whole_is_let_through(value: str, allow: list[str], kept: bool) -> None:
    assert _kept(f"En {value} hoy", value, allow) is kept


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("visto en Villa Rosa ayer", "Villa Rosa"),
        ("VILLA ROSA", "VILLA ROSA"),
        ("villa  rosa", "villa  rosa"),
        ("Villa-Rosa", "Villa-Rosa"),
        ("Vílla Rósa", "Vílla Rósa"),
        ("Villarosa", None),
        ("Villa y Rosa", None),
        ("Villa.\n\nRosa", None),
        ("Villa Rosales", None),
    ],
)
def test_what_is_denied_is_found_in_any_spelling(text: str, found: str | None) -> None:
    document = Document("", text)
    spans = Lists.of(deny=[("Villa Rosa", "INSTITUCION")]).apply(document, [])
    assert [document.text_of(span) for span in spans] == ([found] if found else [])
    assert all(span.label == "INSTITUCION" and span.source == "deny-list" for span in spans)


def test_denied_beats_allowed() -> None:
    lists = Lists.of(["Villa Rosa"], [("Villa Rosa", "INSTITUCION")])
    assert len(lists.apply(Document("", "Villa Rosa"), [])) == 1


def test_the_longest_term_wins() -> None:
    terms = Terms()
    terms.add("Villa", "short")
    terms.add("Villa Rosa", "long")
    assert [found.payload for found in terms.find("Villa Rosa y Villa")] == ["long", "short"]


def test_files(tmp_path: Path) -> None:
    allow, deny = tmp_path / "allow.txt", tmp_path / "deny.txt"
    allow.write_text("# nuestro centro\nSan Carlos\n\n", encoding="utf-8")
    deny.write_text("\ufeffTERRITORIO\tVilla Rosa\nproyecto Alba\n", encoding="utf-8")
    document = Document("", "San Carlos, Villa Rosa, Proyecto Alba")
    spans = Lists.read(allow, deny).apply(document, [Span(0, 10, NAME)])
    assert [(document.text_of(span), span.label) for span in spans] == [
        ("Villa Rosa", "TERRITORIO"),
        ("Proyecto Alba", "OTROS_SUJETO_ASISTENCIA"),
    ]


@pytest.mark.parametrize(
    ("content", "line"),
    [(b"NOLABEL\tSecreto Uno", 1), (b"bien\n---", 2), (b"\xff\xfe\x00", None), (b"# nada\nPAIS\t...", 2)],
)
def test_a_bad_deny_list_is_refused_without_telling_what_is_in_it(
    tmp_path: Path, content: bytes, line: int | None
) -> None:
    path = tmp_path / "deny.txt"
    path.write_bytes(content)
    with pytest.raises(FormatError) as error:
        Lists.read(deny=path)
    assert error.value.line == line
    assert "Secreto" not in str(error.value)
    assert "---" not in str(error.value)


def test_a_bad_allow_list_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "allow.txt"
    path.write_text("PAIS\tSecreto", encoding="utf-8")
    with pytest.raises(FormatError, match="no tab") as error:
        Lists.read(allow=path)
    assert "Secreto" not in str(error.value)


def test_a_list_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="cannot be read"):
        Lists.read(deny=tmp_path / "none.txt")


@given(st.text(max_size=200))
def test_any_term_is_found_in_itself(text: str) -> None:
    terms = Terms()
    terms.add(text, "x")
    words = folded_words(text)
    found = terms.find(text)
    if not words:
        assert found == []
    elif all(b.start - a.end <= 4 and text[a.end : b.start].count("\n") < 2 for a, b in pairwise(words)):
        assert [(f.start, f.end) for f in found] == [(words[0].start, words[-1].end)]


def test_skipped_words_may_stand_between_but_not_without_end() -> None:
    terms = Terms(skipped=["de", "la"])
    terms.add("Plaza de la Cruz", "x")
    assert len(terms.find("plaza cruz, plaza de cruz, plaza de la cruz")) == 3
    assert terms.find("plaza de de de de cruz") == []
