"""The means by which anonymization and augmentation invent: examples of dates, word lists, rules and draws."""

from __future__ import annotations

import re
from datetime import date
from importlib.resources import files
from random import Random

import pytest

from nadie.augment import dates
from nadie.spanish import tables
from nadie.spanish.dates.reading import read
from nadie.spanish.pools import Pool
from nadie.spanish.word_lists import Lists
from nadie.surrogates.dates.by_example import written_like
from nadie.surrogates.draws import Draws
from nadie.surrogates.rules import Rule, by_first

DAY = date(2021, 9, 5)


class Seeded(Draws):
    def __init__(self, seed: int) -> None:
        self._rng = Random(seed)

    def number(self, bound: int, *identity: str) -> int:
        return self._rng.randrange(bound)


@pytest.mark.parametrize(
    ("example", "written"),
    [
        ("03/01/2019", "05/09/2021"),
        ("3-1-19", "5-9-21"),
        ("03-ENE-19", "05-SEP-21"),
        ("3 de Enero del 2019", "5 de Septiembre del 2021"),
        ("1º de enero de 2019", "5 de septiembre de 2021"),
        ("3-I-2019", "5-IX-2021"),
        ("tres de enero de dos mil diecinueve", "cinco de septiembre de dos mil veintiuno"),
        ("jueves, 3 de enero", "domingo, 5 de septiembre"),
        ("invierno del 2019", "otoño del 2021"),
        ("año 2019", "año 2021"),
    ],
)
def test_a_day_in_the_form_of_an_example(example: str, written: str) -> None:
    assert written_like(example, DAY) == written


def test_what_is_no_date_is_no_example() -> None:
    with pytest.raises(ValueError, match="no date"):
        written_like("31/02/2019", DAY)


@pytest.mark.parametrize("form", [dates.full_date, dates.vague_date, dates.with_weekday, dates.day_and_month])
def test_dates_of_training_text_can_be_read(form: dates.DateForm) -> None:
    rng = Random(0)
    written = {form(dates.random_date(rng, 1930, 2024), rng) for _ in range(400)}
    assert len(written) > 150
    unread = {text for text in written if read(text) is None}
    assert all(re.search(r"(?i)(?<![a-z])(?:en|agto|dbre)(?![a-z])", text) for text in unread)  # rare abbreviations


def test_every_word_list_is_well_formed() -> None:
    folder = files("nadie.surrogates") / "data"
    for file in (file for file in folder.iterdir() if file.name.endswith(".tsv") and file.name != "occupations.tsv"):
        lists = Lists(file.name.removesuffix(".tsv"), "nadie.surrogates")
        for name in lists.names():
            assert all(entry.strip() and entry == entry.lstrip() for entry in lists[name]), (file.name, name)
    assert Lists("traits", "nadie.surrogates").pairs("marital_status")[0] == ("casado", "casada")
    assert Lists("traits", "nadie.surrogates").pairs("language")[0] == ("español", "español")
    assert Lists("jobs", "nadie.surrogates").get("no such list") == ()


def test_the_first_rule_that_recognises_decides() -> None:
    rules: tuple[Rule[str], ...] = (
        (lambda value: value.startswith("a"), lambda value, _: None),
        (lambda value: value[:2], lambda value, found: f"{found}!"),
    )
    assert [by_first(rules, value) for value in ("ab", "bcd", "")] == [None, "bc!", None]


def test_draws_of_a_generator() -> None:
    draws = Seeded(1)
    assert {draws.choose("abc", lambda c: c != "b") for _ in range(50)} == {"a", "c"}
    assert draws.choose("abc", lambda c: False) is None
    assert draws.draw(Pool.of({"x": 1, "y": 9}), lambda v: v == "x") == "x"
    assert set(draws.characters("01", 40)) == {"0", "1"}


def test_one_table_each_of_names_and_towns() -> None:
    given = tables.rows("given_names.tsv.gz")
    assert {len(row) for row in given} == {3, 5}
    assert {row[1] for row in given} == {"m", "f", ""}
    assert {len(row) for row in tables.rows("surnames.tsv.gz")} == {2, 3}
    assert {len(row) for row in tables.rows("towns.tsv.gz")} == {3, 4}
