"""The lexicon finds its words whatever their case and accents."""

from __future__ import annotations

import pytest

from nadie.spanish.folding import fold
from nadie.spanish.lexicon import Lexicon, Match


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    return Lexicon.shared()


@pytest.mark.parametrize(
    ("word", "folded"), [("GARCÍA", "garcia"), ("Núñez", "nunez"), ("Ü", "u"), ("", ""), ("abc", "abc"), ("ß", "ß")]
)
def test_fold(word: str, folded: str) -> None:
    assert fold(word) == folded


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("carmen", "first_name_f"),
        ("ernesto", "first_name_m"),
        ("garcia", "surname"),
        ("quispe", "surname"),
        ("getafe", "town"),
        ("soria", "province"),
        ("galicia", "region"),
        ("bolivia", "country"),
        ("avda", "street_type"),
        ("octubre", "month"),
        ("albanil", "profession"),
        ("hospital", "hospital_word"),
        ("abuela", "relation"),
        ("varon", "sex"),
        ("dra", "title"),
        ("musulman", "people"),
    ],
)
def test_lists(lexicon: Lexicon, word: str, kind: str) -> None:
    assert kind in lexicon.kinds(word)


@pytest.mark.parametrize("word", ["furosemida", "disnea", "xyzzy", ""])
def test_words_of_no_list(lexicon: Lexicon, word: str) -> None:
    assert lexicon.kinds(word) == ()


def test_clusters_put_like_words_together(lexicon: Lexicon) -> None:
    assert lexicon.cluster("García") == lexicon.cluster("Quispe") is not None
    assert lexicon.cluster("Ernesto") == lexicon.cluster("Ximena") != lexicon.cluster("García")
    assert lexicon.cluster("xyzzy") is None


def test_rarity(lexicon: Lexicon) -> None:
    assert lexicon.rarity("paciente") < lexicon.rarity("Quispe") < lexicon.rarity("Xyzzy") == 10


def test_lemma(lexicon: Lexicon) -> None:
    assert lexicon.lemma("pacientes") == "paciente"
    assert lexicon.lemma("xyzzy") == "xyzzy"


def test_phrases(lexicon: Lexicon) -> None:
    words = "vive en alcala de henares , comunidad de madrid".split()
    assert Match(2, 5, "town") in lexicon.phrases(words)
    assert Match(6, 9, "region") in lexicon.phrases(words)
    assert lexicon.phrases([]) == []
    assert lexicon.phrases(["san"]) == []
