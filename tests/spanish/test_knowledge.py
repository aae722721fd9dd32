"""The lists of the language agree with themselves, and the arithmetic with known numbers."""

from __future__ import annotations

import unicodedata
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.spanish import calendar, check_digits, languages, names, tables
from nadie.spanish.folding import TILDE, fold, fold_compatible, key_of, plain, same_length, without_accents
from nadie.spanish.numbers import NUMBERS, before_noun, in_words
from nadie.spanish.towns import all_towns


@given(st.text())
def test_offsets_stay(text: str) -> None:
    assert len(same_length(text)) == len(plain(text)) == len(text)
    assert plain(text).isascii()


def test_each_way_of_folding() -> None:
    written = "Núñez  GARCÍA-Peña, 2.º"
    assert fold(written) == "nunez  garcia-pena, 2.º"
    assert key_of(written) == "nunez garcia pena 2 º"
    assert without_accents(written) == "Nunez  GARCIA-Pena, 2.º"
    assert without_accents(written, keep=TILDE) == "Nuñez  GARCIA-Peña, 2.º"
    assert without_accents(unicodedata.normalize("NFD", "Muñoz Ríos"), keep=TILDE) == "Muñoz Rios"
    assert fold_compatible("Ｒａúl\u00ad ﬁn") == "raul fin"


@pytest.mark.parametrize(
    ("number", "words", "before"),
    [
        (1, "uno", "un"),
        (16, "dieciséis", "dieciséis"),
        (21, "veintiuno", "veintiún"),
        (31, "treinta y uno", "treinta y un"),
        (100, "cien", "cien"),
        (1984, "mil novecientos ochenta y cuatro", "mil novecientos ochenta y cuatro"),
        (2021, "dos mil veintiuno", "dos mil veintiún"),
    ],
)
def test_numbers_in_words(number: int, words: str, before: str) -> None:
    assert (in_words(number), before_noun(number)) == (words, before)


def test_numbers_are_read_as_they_are_written() -> None:
    for number in range(100):
        forms = (in_words(number), before_noun(number), before_noun(number, feminine=True))
        assert {NUMBERS[fold(form)] for form in forms} == {number}


def test_feasts_have_their_days() -> None:
    assert {calendar.feast(name, 2024).year for name in calendar.DATED_FEASTS} == {2024}
    assert calendar.feast("viernes santo", 2024) == date(2024, 3, 29)
    assert set(calendar.FEASTS) >= calendar.AMBIGUOUS
    assert languages.month_of("SET") == (9, calendar.MONTHS[6])
    assert languages.month_of("may") == (5, calendar.MONTHS[calendar.SHORT])


def test_one_abbreviation_is_one_name() -> None:
    forms = [
        fold(short)
        for table in (names.GIVEN_ABBREVIATIONS, names.SURNAME_ABBREVIATIONS)
        for short in sum(table.values(), ())
    ]
    assert len(forms) == len(set(forms))
    assert names.SHORT_SURNAMES["fdez"] == "fernandez"
    assert names.JOINING <= names.PARTICLES


def test_check_digits() -> None:
    assert check_digits.chassis("1M8GDM9AXKP042788") == "X"
    assert check_digits.chassis("11111111111111111") == "1"
    assert check_digits.social_security("28", "12345678") == f"{2812345678 % 97:02}"


def test_a_country_is_known_by_all_its_clear_names() -> None:
    assert tables.country_codes()["ee uu"] == tables.country_codes()["estados unidos"] == "US"
    assert "granada" not in tables.country_codes()  # a town of Spain, and a country
    assert {"ee.uu.", "holanda", "bolivia"} <= tables.country_names()
    assert len({country.code for country in tables.countries()}) == len(tables.countries())
    assert set(all_towns()) <= {country.code for country in tables.countries()}


def test_the_lists_of_features_are_subsets_of_one_table() -> None:
    lexicon, patterns = (tables.known_professions(feature) for feature in (tables.LEXICON, tables.PATTERNS))
    assert (len(lexicon), len(patterns)) == (1053, 960)
    assert all(fold(man) and fold(woman) for man, woman in tables.professions())
    assert len(tables.known_peoples(tables.LEXICON) - tables.known_peoples(tables.PATTERNS)) == 6
