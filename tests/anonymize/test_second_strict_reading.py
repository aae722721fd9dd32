"""Kinds that a second strict reader stumbled over: words of the body, hospitals, postcodes, doses, dates in numbers."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.parsing import Kind, parse
from nadie.persons.sex import sex_by_name, sex_by_usual_ending
from nadie.spanish.folding import key_of
from nadie.spanish.towns import ARGENTINE_POSTCODES, MEXICAN_POSTCODES, SHORT_STATES, towns_of_state

from .marked import marked
from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize("key", KEYS[:4])
@pytest.mark.parametrize(
    "note",
    [
        "Dra. {Delgado|S}. Intestino delgado. INTESTINO DELGADO sin lesiones",
        "Dra. {Delgado|S}. Paciente delgado.",
        "Dr. {León|S}: facies de león",
        "Dra. {Dolores Fuerte|S}: dolores fuertes",
        "Dr. {Carrillo|S}: carrillo derecho",
        "Dr. {Crespo|S}: pelo crespo",
        "Dr. {Aguado|S}: líquido aguado",
        "Dr. {Mellado|S}: esmalte mellado",
        "Sr. {Horner|P}, Horner derecho",
        "Dra. {Nikolsky|S}, Nikolsky negativo",
        "Dr. {Koch|S}: Koch pulmonar",
        "Dra. {Braden|S} Braden 14",
    ],
)
def test_a_term_beside_somebody_of_that_name_stays(note: str, key: Key) -> None:
    rest = note.partition("}")[2]
    assert text_of(note, key).endswith(rest)
    assert text_of(note, key) != marked(note).text


@pytest.mark.parametrize(
    "note",
    [
        "paciente {rosa gil|P}, la paciente rosa refiere",
        "Dra. {Delgado|S}. Firma: Delgado",
        "Dr. {León|S}. Avisar a León",
        "Dra. {Dolores Fuerte|S}; DOLORES FUERTE",
        "Dr. {Crespo|S}. dr crespo",
    ],
)
def test_somebody_named_again_is_still_found(note: str) -> None:
    own = re.findall(r"\{([^|]+)", note)[0].split()[-1]
    assert own.lower() not in text_of(note).lower().replace("refiere", "")


def test_a_term_whose_head_becomes_a_label_is_no_leak() -> None:
    """A model may label `Ganglio de`: the name after it is a term in the note, although no longer in the output."""
    assert text_of("Dr. {Gasser|S}. {Ganglio de|S} Gasser").endswith(" Gasser")


@pytest.mark.parametrize("label", ["PROFESION", "ID"])
@pytest.mark.parametrize(
    "note",
    [
        "{Dependiente|L} para las ABVD",
        "{Independiente|L} para las actividades básicas",
        "{Interno|L} en centro penitenciario",
        "{Usuaria|L} de silla de ruedas",
        "{Mastectomizada|L}",
        "{Peatón|L} atropellado",
        "{Ciclista|L} sin casco",
        "{Daltónico|L}",
        "{Politraumatizado|L}",
        "{primípara añosa|L}",
        "{exADVP|L}",
        "{Sin techo|L}",
    ],
)
def test_states_stay_whatever_the_label(note: str, label: str) -> None:
    note = note.replace("|L}", f"|{label}}}")
    assert text_of(note) == marked(note).text


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("{Interna|PROFESION}, cuida niños", "Trabajadora de la limpieza, cuida niños"),
        ("{Dependienta|PROFESION} en paro", "Trabajadora del comercio en paro"),
        ("{violinista|PROFESION}", "profesional de las artes"),
        ("{anestesista|PROFESION}", "profesional sanitario"),
        ("{azulejista|PROFESION}", "trabajador de la construcción"),
        ("{no binario|ID}", "no binario"),
        ("{refugiada siria|ID}", "refugiada siria"),
        ("{testiga de Jehová|ID}", "testiga de Jehová"),
        ("Nacionalidad {ESP|ID}", "Nacionalidad ESP"),
    ],
)
def test_traits_and_professions(note: str, expected: str) -> None:
    assert text_of(note) == expected


@pytest.mark.parametrize("key", KEYS)
def test_one_hospital_in_further_writings(key: Key) -> None:
    note = "{Hospital Universitario 12 de Octubre|H}; {HU12O|H}; {12 de Octubre|H}; {Doce de Octubre|H}"
    full, letters, name, in_words = became(note, key)
    assert name == in_words == full.removeprefix("Hospital Universitario ")
    assert letters.startswith("HU")
    assert len(letters) > 2
    note = "{Hospital Nacional Edgardo Rebagliati Martins|H}; {Rebagliati|H}; {H. Rebagliati|H}"
    full, name, short = became(note, key)
    assert f"H. {name}" == short
    assert full == f"Hospital Nacional {name}"
    full, short = became("{Hospital Universitario Virgen del Rocío|H}, {H. V. del Rocío|H}", key)
    assert short == f"H. {full.removeprefix('Hospital Universitario ')}"
    full, capitals = became("{Hospital Vall d'Hebron|H}; {VALL D'HEBRON|H}", key)
    assert full.upper() == f"HOSPITAL {capitals}"
    full, kind = became("{Hospital Clínico San Carlos|H}, {el Clínico|H}", key)
    assert kind == "el Clínico"
    assert full != "Hospital Clínico San Carlos"


@pytest.mark.parametrize("key", KEYS)
def test_postcodes_agree_with_states_of_america(key: Key) -> None:
    town, state, code = became("{León|T}, {Gto.|T} {37000|T}", key)
    full = SHORT_STATES[state.strip(".").lower()]
    assert town in towns_of_state(full, "MX").values
    assert MEXICAN_POSTCODES[code[:2]] == full
    code, town = became("{CP 44100|T}, {Guadalajara|T}, {México|PAIS}", key)[:2]
    assert town in towns_of_state(MEXICAN_POSTCODES[code[3:5]], "MX").values
    _, state, code = became("{Rosario|T}, {Santa Fe|T}, {S2000|T}", key)
    assert ARGENTINE_POSTCODES[key_of(state)] == code[0]
    assert re.fullmatch(r"Zona \d{1,2}", became("{Zona 10|T}, {Guatemala|T}", key)[0])


@pytest.mark.parametrize("key", KEYS)
def test_dates_in_numbers_stay_dates(key: Key) -> None:
    day, rest = became("episodio {20240510-0045|ID_CONTACTO_ASISTENCIAL}", key)[0].split("-")
    assert datetime.strptime(day, "%Y%m%d").year < 2030
    assert (day, rest) != ("20240510", "0045")
    assert became("{NHC 2019-4456|ID}", key)[0].startswith("NHC 20")


def test_counts_of_doses_are_no_dates() -> None:
    assert " 2/4 el " in text_of("Dosis 1/4 el {10-06|D}, {2/4|D} el {17-06|D}")
    assert " 2/4 " not in text_of("Dosis 1/4 el {10-06|D}. Ingresa {2/5|D}, alta {2/4/2024|D} ")


@pytest.mark.parametrize("key", KEYS)
def test_the_owner_of_a_dog_is_no_dog(key: Key) -> None:
    new = became("perro {Rocky|OTROS_SUJETO_ASISTENCIA} y su dueña {Ana|OTROS_SUJETO_ASISTENCIA}", key)[1]
    assert parse(new).keys(Kind.GIVEN)


@pytest.mark.parametrize(
    ("name", "sex"),
    [("xochitl", "f"), ("citlali", "f"), ("zulay", "f"), ("marbelis", "f"), ("elkin", "m"), ("esneider", "m"),
     ("yosvany", "m"), ("klever", "m"), ("tonatiuh", "m"), ("wilber", "m")],
)  # fmt: skip
def test_the_sex_of_american_first_names(name: str, sex: str) -> None:
    assert sex_by_name([name]) == sex


def test_the_sex_by_usual_endings_of_names_that_no_list_has() -> None:
    assert [sex_by_usual_ending([name]) for name in ("yulibeth", "yoslin", "yuselkis", "maikeldor", "yosmer", "")] == [
        "f", "f", "f", "m", "m", "",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "given", "surnames"),
    [
        ("JIMENEZ NIEVES", "nieves", "jimenez"),
        ("CHOQUE NINA ROSA", "rosa", "choque nina"),
        ("Quispe Mamani Wara", "wara", "quispe mamani"),
        ("SANCHEZ LEON LORENZO", "", "sanchez leon lorenzo"),
        ("GOMEZ PAZ", "", "gomez paz"),
        ("Risco M.", "", "risco"),
        ("Pérez Soto A.", "", "perez soto"),
    ],
)
def test_a_certain_surname_is_no_first_name(value: str, given: str, surnames: str) -> None:
    name = parse(value)
    assert (" ".join(name.keys(Kind.GIVEN)), " ".join(name.keys(Kind.SURNAME))) == (given, surnames)


@pytest.mark.parametrize("number", range(40))
def test_two_people_of_a_note_never_become_one(number: int) -> None:
    key = Key(bytes([number]) * 32)
    note = "Avisar a {Zubeldia|S}, {Altuna|S}, {Olaizola|S}, {Arizmendi|S}, {Garmendia|S}, {Zabaleta|S} y {Urkiola|S}"
    assert len(set(became(note, key))) == 7
