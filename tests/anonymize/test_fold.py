"""Which values count as equal, and where a value is found again."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.spanish.folding import key_of, letters_of, same_length, words_of
from nadie.spanish.squashing import Squashed, squash


@pytest.mark.parametrize(
    "written",
    ["José  Pérez", "JOSE PEREZ", "jose-perez", "José\u00a0Pérez", "Jo\u00adsé Pérez", "ＪＯＳÉ\nPérez",
     unicodedata.normalize("NFD", "José Pérez")],
)  # fmt: skip
def test_one_value_in_many_writings(written: str) -> None:
    assert squash(written) == "joseperez"
    assert key_of(written).replace(" ", "") == "joseperez"


def test_different_values_stay_different() -> None:
    assert squash("José Pérez") != squash("José Peréz Soto")
    assert key_of("12 3") != key_of("123")
    assert squash("12 3") == squash("123")


@given(st.text())
def test_folding_keeps_the_length(text: str) -> None:
    assert len(same_length(text)) == len(text)


@given(st.text() | st.text(st.characters(max_codepoint=255)))
def test_the_runs_of_letters_are_the_words_without_the_numbers(text: str) -> None:
    assert letters_of(text) == [word for word in words_of(text) if not word.isdecimal()]


def test_runs_of_letters_end_at_figures_and_signs() -> None:
    assert letters_of("NHC_12: 3.er día, IgG4 (Núñez)") == ["nhc", "er", "dia", "igg", "nunez"]


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("Tel. 914 123 456.", "914123456", ["914 123 456"]),
        ("la señora PÉREZ  SOTO vino", "perezsoto", ["PÉREZ  SOTO"]),
        ("Perezoso y Pérez", "perez", ["Pérez"]),
        ("NHC368503", "368503", ["368503"]),
        ("NHC 1368503", "368503", []),
        ("anapérez@x.es", "perez", []),
        ("", "perez", []),
        ("Жук Pérez €", "perez", ["Pérez"]),
    ],
)
def test_whole_words_are_found(text: str, value: str, found: list[str]) -> None:
    assert [text[a:b] for a, b in Squashed(text).find(value)] == found


def test_glued_values_are_found_when_asked() -> None:
    assert Squashed("escribir a anaperez@x.es").find("anaperez", glued=True) == [(11, 19)]
    text = "escribir a dranaperezsoto@x.es"
    (found,) = Squashed(text).find("anaperezsoto", glued=True)
    assert text[found.start : found.end] == "anaperezsoto"


@pytest.mark.parametrize("long", [0, 10**9])
def test_all_at_once_is_the_same_as_one_by_one(long: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nadie.spanish.squashing.LONG", long)
    text = "La Sra. PÉREZ  SOTO (Pérez, 914 123 456), Pe\u0301rez; 12 Perezoso soto914 Ana Soto"
    values = {"perez", "perezsoto", "914123456", "soto914", "nada", "anasoto"}
    found = Squashed(text, [(text.index("Ana"), text.index("Ana") + 3)]).find_all(values)
    assert {value: [text[a:b] for a, b in places] for value, places in found.items()} == {
        "perez": ["PÉREZ", "Pérez", "Pe\u0301rez"],
        "perezsoto": ["PÉREZ  SOTO"],
        "914123456": ["914 123 456"],
        "soto914": ["soto914"],
    }


def test_hidden_stretches_are_walls() -> None:
    text = "Ana Pérez Soto"
    assert Squashed(text, [(4, 9)]).find("anasoto") == []
    assert Squashed(text, [(4, 9)]).find("perez") == []
    assert Squashed(text, [(4, 9)]).find("soto") == [(10, 14)]


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=30))
def test_a_value_is_found_where_it_was_put(before: str, value: str, after: str) -> None:
    squashed = squash(value)
    text = f"{before} {value} {after}"
    found = Squashed(text).find(squashed)
    if squashed and squashed[0].isalnum():
        assert any(squash(text[a:b]) == squashed for a, b in found)
