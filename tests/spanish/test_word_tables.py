"""Tables of words give the same rows before and after they are indexed, and those of the lists they are made from."""

from __future__ import annotations

import pytest

from nadie.spanish import population, tables, word_tables
from nadie.spanish.folding import key_of
from nadie.spanish.word_tables import WordTable

_TEXT = "ana\tf\t3\nanabel\tf\t1\nana\tm\t2\nmaria jose\tf\t5\nluis"
_ROWS = {"ana": [["f", "3"], ["m", "2"]], "anabel": [["f", "1"]], "maria jose": [["f", "5"]], "luis": [[]]}


@pytest.mark.parametrize("searches", [0, 1000])
def test_rows_of_words(monkeypatch: pytest.MonkeyPatch, searches: int) -> None:
    monkeypatch.setattr(word_tables, "_SEARCHES", searches)
    table = WordTable(_TEXT)
    assert {word: table[word] for word in _ROWS} == _ROWS
    assert [word in table for word in ("", "a", "maria", "jose", "f", "luis", "luisa")] == [False] * 5 + [True, False]


def test_many_words_are_indexed() -> None:
    table = WordTable(_TEXT)
    assert [table["anabel"] for _ in range(200)] == [_ROWS["anabel"]] * 200


def test_bearers_are_those_of_the_lists() -> None:
    whole: dict[str, int] = {}
    for name, _, *count in tables.rows("surnames.tsv.gz"):
        if count:
            whole.setdefault(key_of(name), int(count[0]))
    cores = {key_of(name).split()[-1]: count for name, count in reversed(whole.items())} | {
        name: count for name, count in whole.items() if " " not in name
    }
    assert {name: population.surname_bearers(name) for name in cores} == cores
    assert population.surname_bearers("de la fuente") == 0
    assert population.bearers("maria carmen") == 0
    assert population.bearers("antonio") > 700_000
    assert population.sex_of("carmen") == "f"
