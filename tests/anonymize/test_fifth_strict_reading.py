"""Facts that a fifth strict reading found changed: times in numbers, planned ages, words and sexes taken wrongly."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

import pytest
from stdnum.mx import curp

from nadie.anonymize.secret import Key
from nadie.persons.people import People
from nadie.spanish.towns import all_towns
from nadie.surrogates.dates.calendar import years_between

from .marked import marked
from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("number", "figures"),
    [("MOTL460321MJCRRL06", slice(4, 10)), ("MOTL460321AB1", slice(4, 10)), ("AARM520917HDFRSR03", slice(4, 10))],
)
def test_a_birthday_in_a_number_agrees_with_the_age(number: str, figures: slice, key: Key) -> None:
    birth = datetime.strptime("19" + number[figures], "%Y%m%d").date()
    age = years_between(birth, date(2023, 6, 2))
    new, said, day = became(f"{{{number}|ID}}, {{{age} años|E}}, el {{2023-06-02|D}}", key)
    born = datetime.strptime("19" + new[figures], "%Y%m%d").date()
    assert said == f"{years_between(born, date.fromisoformat(day))} años" == f"{age} años"
    assert len(number) != 18 or curp.is_valid(new)
    assert new[:4] != number[:4]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("written", "form"), [("20230530-12", "%Y%m%d"), ("20230102-0045", "%Y%m%d")])
def test_a_day_in_a_number_is_shifted_as_dates_are(written: str, form: str, key: Key) -> None:
    new, day = became(f"estudio {{{written}|ID_CONTACTO_ASISTENCIAL}} del {{2023-06-02|D}}", key)
    moved = datetime.strptime(new[:8], form).date() - datetime.strptime(written[:8], form).date()
    assert moved == date.fromisoformat(day) - date(2023, 6, 2)
    assert new[9:] != written[9:]


@pytest.mark.parametrize("key", KEYS)
def test_a_year_in_a_number_is_shifted_as_years_are(key: Key) -> None:
    new, year = became("biopsia {2019-44871|ID_CONTACTO_ASISTENCIAL}, operado en {2019|D}", key)
    assert new.startswith(f"{year}-")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "note",
    [
        "Peso normal; próxima a los {9 años|E}.",
        "Repetir densitometría a los {65 años|E}.",
        "Siguiente visita a los {4 años|E}.",
        "Refuerzo a los {14 años|E}.",
        "Camina a los 13 meses, pañal fuera a los {3|E}.",
        "Cursa 2.º de ESO, {13 años|E}, contenta.",
        "{11 años|E}, en sexto de primaria.",
    ],
)
def test_a_planned_age_and_that_of_a_year_of_school_stay(note: str, key: Key) -> None:
    assert f"{{{became(note, key)[0]}|E}}" in note


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("note", "least", "most"), [("Acude con {14|E}", 12, 14), ("Acude con {17|E}", 16, 17)])
def test_an_age_stays_on_its_side_of_the_limit_of_paediatrics(note: str, least: int, most: int, key: Key) -> None:
    assert least <= int(became(note, key)[0]) <= most


@pytest.mark.parametrize("key", KEYS)
def test_a_bare_day_is_placed_by_the_date_that_is_much_nearer(key: Key) -> None:
    note = "El {10 de febrero|D} discutió con ella y durmió mal varias noches. Sesión el {martes 5|D}; cita {07/03|D}."
    _, bare, cited = became(note, key)
    day, month = (int(part) for part in cited.split("/"))
    assert bare == f"martes {(date(2015, month, day) - timedelta(2)).day}"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("note", "new"),
    [
        ("influenza hasta {octubre|D}, y neumo", "octubre"),
        ("Gripe: {nov|D}.", "nov"),
        ("tras el terremoto del {27 de febrero|D}", "[FECHAS]"),
        ("Sueña con el {11 de marzo|D}.", "[FECHAS]"),
        ("El {Viernes de Carnaval|D} sale", "Viernes de fiesta"),
    ],
)
def test_seasons_of_vaccines_stay_and_days_that_all_know_are_not_invented(note: str, new: str, key: Key) -> None:
    assert became(note, key)[0] == new


@pytest.mark.parametrize(
    ("note", "kept"),
    [
        ("{Mendia Soto|P}. Dolorea eta buruko mina dago, mendia igo eta gero.", "mendia igo"),
        ("{Pere Ferrer|P}. És fill d'un ferrer i els seus amics també hi són.", "un ferrer i"),
        ("{Rose Green|P}. She was in the green room and has the flu.", "green room"),
        ("Vino con su {chava|FAM}.", "su chava."),
    ],
)
def test_a_word_of_the_language_around_it_names_nobody(note: str, kept: str) -> None:
    assert kept in text_of(note)


@pytest.mark.parametrize(
    "note",
    [
        "{Mendia Soto|P}. Le dije a mendia que viniera con su hija.",
        "{Pere Lekunberri|P}. Lekunberri eta lekunberri dago.",
    ],
)
def test_a_name_in_lower_case_in_another_sentence_is_still_replaced(note: str) -> None:
    assert "endia" not in text_of(note)
    assert "ekunberri" not in text_of(note)


@pytest.mark.parametrize(
    ("note", "sex"),
    [
        ("{Nehuen Painemal|P}, 5a, {F|X}.", "f"),
        ("Sexo: {F|X}. Nombre: {Rumi Choque|P}", "f"),
        ("{Carlos Gil|P}, feto {F|X}", "m"),
        ("{Ricardita Tzompa|S}, la cocinera", "f"),
        ("el nuevo cuidador es Paco; la limpiadora, {Francis|S}", "f"),
        ("la auxiliar nueva, {Alexis|S}, sabe", "f"),
        ("el celador {Noa|S}", "m"),
        ("en la carretera, {Noa|S} cayó", "f"),
    ],
)
def test_a_form_an_article_and_a_diminutive_tell_the_sex(note: str, sex: str) -> None:
    (person,) = People(marked(note)).persons
    assert person.sex == sex


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("note", "country"),
    [
        ("RUN 9.119.282-3, Isapre, Chile. La posada de {Casablanca|T} donde se contagió", "CL"),
        ("RUN 9.119.282-3, Isapre. Nació en Marruecos, en {Casablanca|T}", "MA"),
        ("EPS Sura, cédula de ciudadanía, Medellín. Vive en {Florencia|T}", "CO"),
    ],
)
def test_a_famous_name_is_that_of_a_town_at_home(note: str, country: str, key: Key) -> None:
    assert became(note, key)[0] in all_towns()[country]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "note", ["Tarjeta sanitaria. Paludismo contagiado en {Mokolo|T}.", "La finca de {Bokeo|T} donde se infectó."]
)
def test_an_unknown_place_of_an_infection_becomes_none_of_spain(note: str, key: Key) -> None:
    assert became(note, key) == ["[TERRITORIO]"]


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("value", "label", "form"),
    [
        ("AN 30417 2290 6", "ID", r"AN \d{5} \d{4} \d"),
        ("14.203.118-4", "ID", r"1\d\.\d{3}\.\d{3}-[\dK]"),
        ("23.203.118-4", "ID", r"2[0-7]\.\d{3}\.\d{3}-[\dK]"),
        ("415-22-9031", "ID", r"9\d\d-[0-4]\d-\d{4}"),
        ("987-65-4320", "ID_ASEGURAMIENTO", r"9\d\d-[0-4]\d-\d{4}"),
        ("2044 81930 0701", "ID", r"\d{4} \d{5} (0[1-9]|1\d|2[0-2])0[1-8]"),
        ("5830177 LP", "ID", r"\d{7} (LP|CB|SC|OR|PT|TJ|CH|BE|PD)"),
        ("41 41 20775", "ID_TITULACION_PERSONAL_SANITARIO", r"(0[1-9]|[1-4]\d|5[0-2]) ?\1 \d{5}"),
    ],
)
def test_a_number_keeps_the_parts_that_tell_its_kind(value: str, label: str, form: str, key: Key) -> None:
    (new,) = became(f"Consta {{{value}|{label}}}, ahí", key)
    assert re.fullmatch(form, new), new
    assert new != value


@pytest.mark.parametrize("key", KEYS)
def test_the_year_of_birth_in_an_insurance_number_is_that_of_the_birthday(key: Key) -> None:
    coded, number = became("CURP {MOTL460321MJCRRL06|ID}, NSS {2214-46-5501-3|ID_ASEGURAMIENTO}", key)
    assert number[5:7] == coded[4:6]
