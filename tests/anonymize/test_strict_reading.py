"""Kinds of replacement that a strict reader stumbled over: years in numbers, listed names, accounts, common words."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.parsing import Kind, parse
from nadie.persons.sex import sex_by_name
from nadie.spanish.folding import key_of
from nadie.spanish.name_kin import certain_kin
from nadie.spanish.population import surname_bearers, surnames_after_de

from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        # a common word in lower case beside a person of that name
        ("Dr. {Garza|S}: marcha en garza", r"Dr\. (?!Garza)\w+: marcha en garza"),
        # numbers keep the year in them
        ("exp. {318/2023|OTRO_NUMERO_IDENTIF}", r"exp\. \d{3}/20[012]\d"),
        ("episodio {2021-00456|ID_CONTACTO_ASISTENCIAL}", r"episodio 20[012]\d-\d{5}"),
        ("póliza {EXP-1998-118|ID_ASEGURAMIENTO}", r"póliza [A-Z]{3}-19[789]\d-\d{3}"),
        ("lote {7714-3302|OTRO_NUMERO_IDENTIF}", r"lote \d{4}-\d{4}"),
        # what every university has, and letters that no reader knows
        ("la {Facultad de Odontología|INSTITUCION}", r"la Facultad de Odontología"),
        ("en {Centros FRIAT|INSTITUCION}", r"en \[INSTITUCION\]"),
        # an illness under the label of other values
        ("con {síndrome de Down|OTROS_SUJETO_ASISTENCIA}", r"con síndrome de Down"),
        ("es {soldador|PROFESION} en un taller", r"es (?!soldador).+ en un taller"),
    ],
)
@pytest.mark.parametrize("key", KEYS[:4])
def test_the_kind_stays(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new), new


@pytest.mark.parametrize("key", KEYS)
def test_the_birthday_in_a_number_is_a_day(key: Key) -> None:
    number = became("TIS {MRCR090630911017|ID}", key)[0]
    assert datetime.strptime(f"20{number[4:10]}", "%Y%m%d")
    assert number[:4] != "MRCR"


@pytest.mark.parametrize("key", KEYS)
def test_two_numbers_with_years_stay_different(key: Key) -> None:
    note = " ".join(f"{{{number}/2023|OTRO_NUMERO_IDENTIF}}" for number in range(300, 340))
    assert len(set(became(note, key))) == 40


@pytest.mark.parametrize(
    ("value", "given"),
    [
        ("PEREZ SOTO ROSARIO", ["rosario"]),
        ("GIL MARTIN ANGEL", ["angel"]),
        ("RUIZ VEGA GUADALUPE", ["guadalupe"]),
        ("GARCIA LOPEZ MARIA JOSE", ["maria", "jose"]),
        ("MAMANI QUISPE WILBER", ["wilber"]),
        ("ROSARIO PEREZ SOTO", ["rosario"]),
        ("ANGEL GIL MARTIN", ["angel"]),
        ("GARCIA LOPEZ", []),
    ],
)
def test_the_order_of_names_in_capitals(value: str, given: list[str]) -> None:
    assert list(parse(value).keys(Kind.GIVEN)) == given


@pytest.mark.parametrize("key", KEYS)
def test_the_sex_of_names_in_capitals_with_the_surnames_first(key: Key) -> None:
    man, woman = became("{GIL MARTIN ANGEL|P}, {PEREZ SOTO ROSARIO|S}", key)
    assert sex_by_name([key_of(man.split()[-1])]) == "m"
    assert sex_by_name([key_of(woman.split()[-1])]) == "f"


@pytest.mark.parametrize("key", KEYS)
def test_an_account_agrees_with_the_name_beside_it(key: Key) -> None:
    name, first, titled = became("{Luisa Suárez Gil|S}: {lu_sua@correo.es|MAIL}, {drsuarez@correo.es|MAIL}", key)
    given, surname, _ = key_of(name).split()
    assert first.startswith(f"{given[:2]}_{surname[:3]}@")
    assert titled.startswith(f"dr{surname}@")


@pytest.mark.parametrize("key", KEYS)
def test_a_surname_that_tells_where_somebody_comes_from_stays_of_there(key: Key) -> None:
    given, surname = became("{Viorel Zamfir|P}", key)[0].split()
    assert certain_kin([key_of(given), key_of(surname)]) == "ro"


@pytest.mark.parametrize("key", KEYS)
def test_a_surname_after_a_bare_particle_is_one_that_has_it(key: Key) -> None:
    for name in became("{Luis Ponce de León|P}, Dra. {Ana Guijarro de Armas|S}", key):
        assert name.split(" de ")[1] in surnames_after_de().values


@pytest.mark.parametrize("key", KEYS)
def test_a_surname_is_no_first_name(key: Key) -> None:
    surnames = became("Apellidos: {Miguel Plácido|P}", key)[0].split()
    assert all(surname_bearers(key_of(surname)) for surname in surnames)
