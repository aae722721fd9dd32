"""Kinds that a third strict reading found: states under other labels, trades, findings, places of illnesses, sexes."""

from __future__ import annotations

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.parsing import Kind, parse
from nadie.spanish.population import sex_of

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
        ("{rabino|PROFESION}", "religioso"),
        ("{Amish|PROFESION}", "Protestante"),
        ("talla {170 cm|OTROS_SUJETO_ASISTENCIA}", "talla [OTROS_SUJETO_ASISTENCIA]"),
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


def test_first_names_before_a_surname() -> None:
    assert parse("Reina Elizabeth Cornejo").keys(Kind.GIVEN) == ("reina", "elizabeth")
    assert parse("PEREZ ANA GARCIA").keys(Kind.GIVEN) == ()


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("number", ["2024-OB-15507", "2019/RX/0441", "UR-2021-0047"])
def test_the_year_of_a_number_stays_a_year(number: str, key: Key) -> None:
    new = became(f"atención número {{{number}|ID_CONTACTO_ASISTENCIAL}}", key)[0]
    year = next(part for part in new.replace("/", "-").split("-") if len(part) == 4 and part.isdigit())
    assert 1970 <= int(year) < 2025
