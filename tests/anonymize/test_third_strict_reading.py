"""Kinds that a third strict reading found: states under other labels, trades, findings, places of illnesses, sexes."""

from __future__ import annotations

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.parsing import Kind, parse
from nadie.spanish.folding import key_of
from nadie.spanish.population import sex_of
from nadie.spanish.towns import ARGENTINE_POSTCODES, SHORT_STATES, states_with_towns, towns_of, towns_of_state
from nadie.surrogates.centre_kinds import is_initials_of
from nadie.surrogates.quarters import quarters

from .marked import marked
from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize(
    "note",
    [
        "{Prematura extrema|ID} de 26 semanas",
        "{Gran dependiente|PROFESION}",
        "{dependiente|PROFESION} para todo",
        "{dependiente para todo|PROFESION}",
        "{independiente|PROFESION} previamente",
        "{Frágil|ID}",
        "{Hemodializado|PROFESION}",
        "{Anticoagulada|PROFESION} con acenocumarol",
        "{Tabaquista|ID} de 20 paquetes/año",
        "{Etilista|PROFESION}",
        "{Amenorreica|ID}",
        "{Portador de marcapasos|PROFESION}",
        "{portadora de BRCA2|OTROS_SUJETO_ASISTENCIA}",
        "{Portadora de la mutación C282Y|ID}",
        "{Donante de riñón|PROFESION}",
        "{Receptor|PROFESION} de trasplante renal",
        "{Cuidadora principal|PROFESION}",
        "{Interna|PROFESION} en residencia",
        "{Voluntaria|PROFESION} sana",
        "{Corredor|PROFESION} aficionado",
        "{Trabajo a turnos|PROFESION}",
        "{turnos de noche|PROFESION}",
        "{Madre soltera|OTROS_SUJETO_ASISTENCIA}",
        "{hija póstuma|FAM}",
        "{concuñado|FAM}",
        "{mestiza|PROFESION}",
        "{viuda|PROFESION}",
        "{Musulmán|ID}, ayuno en {Ramadán|D} con hipoglucemias",
        "fiebre de {Malta|T}, virus del {Nilo|T}, virus {Zika|T}, encefalitis de {California|T}",
        "criterios de {Amsterdam|T} II; escala {Cincinnati|T}; hemoglobina {Lepore|T}",
    ],
)
def test_what_is_said_of_a_patient_stays(note: str) -> None:
    for key in KEYS[:2]:
        assert text_of(note, key) == marked(note).text


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("{peón|PROFESION}", "trabajador"),
        ("{peón agrícola|PROFESION}", "trabajador agrario"),
        ("{peón de albañil|PROFESION}", "trabajador de la construcción"),
        ("{interno|PROFESION} de medicina", "[PROFESION] de medicina"),
        ("{corredora|PROFESION} de fincas", "[PROFESION] de fincas"),
        ("{trabajador de aglomerados de cuarzo|PROFESION}", "trabajador de la piedra"),
        ("{socorrista|PROFESION}", "trabajador de seguridad"),
        ("{guarda de seguridad|PROFESION}", "trabajador de seguridad"),
        ("{guarda ovejas|PROFESION}", "trabaja en el monte"),
        ("{constructor de gaitas|PROFESION}", "artesano"),
        ("{constructora|PROFESION}", "trabajadora de la construcción"),
        ("{rabino|PROFESION}", "religioso"),
        ("{Amish|PROFESION}", "Protestante"),
        ("talla {170 cm|OTROS_SUJETO_ASISTENCIA}", "talla [OTROS_SUJETO_ASISTENCIA]"),
        ("plaquetas {250000|ID}, CK: {1.840|ID}", "plaquetas [ID_SUJETO_ASISTENCIA], CK: [ID_SUJETO_ASISTENCIA]"),
        ("{BRCA1 positivo|ID}, {HLA-B27|ID}, {CDR 2|ID}", ", ".join(["[ID_SUJETO_ASISTENCIA]"] * 3)),
    ],
)
def test_what_is_generalized_or_becomes_its_label(note: str, expected: str) -> None:
    assert text_of(note) == expected


@pytest.mark.parametrize("key", KEYS)
def test_a_place_beside_no_illness_is_replaced(key: Key) -> None:
    assert "Malta" not in text_of("vive en {Malta|T}", key)
    assert "Cincinnati" not in text_of("procede de {Cincinnati|T}", key)
    assert "Ramadán" not in text_of("Viajó en {Ramadán|D}", key)


@pytest.mark.parametrize("key", KEYS)
def test_another_tattoo_agrees_with_its_article(key: Key) -> None:
    new = text_of("tatuaje de una {rosa negra en el cuello|OTROS_SUJETO_ASISTENCIA}", key)
    assert new.startswith("tatuaje de una ")
    assert new.split()[3] != "un"
    assert new.split()[3] != "una"


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("word", "sex"), [("varón", "m"), ("mujer", "f")])
def test_the_word_after_a_name_decides_on_its_sex(word: str, sex: str, key: Key) -> None:
    given = became(f"{{Práxedes Armengol Mesas|P}}, {word} de 64 años", key)[0].split()[0]
    assert sex_of(given.lower()) in ("", sex)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    ("note", "sex"),
    [
        ("Nombre: {Guadalupe Ramos|P}\nEdad: {45|E}\nSexo: {Varón|X}", "m"),
        ("{Trinidad Ruiz|P} {45|E} {masculino|X}", "m"),
        ("{Guadalupe Ramos|P}. Sexo: {mujer|X}", "f"),
        ("Hijo de {Guadalupe Ramos|P}. Sexo: {varón|X}", "f"),
        ("RN de {María Ramos|P}, {varón|X}, 3200 g", "f"),
        ("{Yoandri Pérez Matos|P}", "m"),
    ],
)
def test_the_form_decides_on_the_sex_of_names_that_either_sex_has(note: str, sex: str, key: Key) -> None:
    assert sex_of(became(note, key)[0].split()[0].lower()) in ("", sex)


@pytest.mark.parametrize("key", KEYS)
def test_places_of_america_agree_in_more_forms(key: Key) -> None:
    town, letters = became("{Mendoza|T} ({M5500|T}), {Argentina|PAIS}", key)[:2]
    state = next(state for state, letter in ARGENTINE_POSTCODES.items() if letter == letters[0])
    assert any(town in towns_of_state(full, "AR").values for full in states_with_towns("AR") if key_of(full) == state)
    assert became("{Córdoba|T}, {X5000|T}", key)[0] not in towns_of("28").values
    assert became("{Monterrey|T}, {N.L.|T}, {C.P. 64000|T}", key)[2].startswith("C.P. ")
    assert became("{Toluca|T}, {Edo. Méx.|T}", key)[1].rstrip(".").lower() in SHORT_STATES
    assert text_of("{Bogotá|T}, {D.C.|T}", key).endswith(", [TERRITORIO]")
    assert became("De {El Cisne|T}", key)[0] in quarters()  # no country is known


@pytest.mark.parametrize("key", KEYS)
def test_hospitals_in_letters_with_a_conjunction_or_without_articles(key: Key) -> None:
    full, letters = became("{Hospital Universitario Ramón y Cajal|H}; {HURYC|H}", key)
    assert is_initials_of(letters, full)
    full, letters = became("{Hospital de la Santa Creu i Sant Pau|H}; {HSCSP|H}", key)
    assert is_initials_of(letters, full)
    full, name = became("{Instituto Nacional de Cardiología Ignacio Chávez|H}; {Ignacio Chávez|H}", key)
    assert full == f"Instituto Nacional de Cardiología {name}"


def test_first_names_before_a_surname() -> None:
    assert parse("Reina Elizabeth Cornejo").keys(Kind.GIVEN) == ("reina", "elizabeth")
    assert parse("PEREZ ANA GARCIA").keys(Kind.GIVEN) == ()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("number", ["2024-OB-15507", "2019/RX/0441", "UR-2021-0047"])
def test_the_year_of_a_number_stays_a_year(number: str, key: Key) -> None:
    new = became(f"atención número {{{number}|ID_CONTACTO_ASISTENCIAL}}", key)[0]
    year = next(part for part in new.replace("/", "-").split("-") if len(part) == 4 and part.isdigit())
    assert 1970 <= int(year) < 2025
