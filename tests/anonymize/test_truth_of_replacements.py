"""Replacements that keep their kind: persons under other labels, hospitals in several writings, states, columns."""

from __future__ import annotations

import re
import time

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.replacements import Replacements
from nadie.anonymize.secret import Key
from nadie.persons.somebody import is_somebody
from nadie.records.vault.entry import Entry
from nadie.spanish.folding import key_of
from nadie.spanish.towns import MEXICAN_POSTCODES, SHORT_STATES, towns_of_state
from nadie.surrogates.centre_writings import whole_name

from .marked import anonymized, marked
from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize(
    ("value", "before", "expected"),
    [
        ("Rosa Méndez Gil", "vecina: ", True),
        ("Lucía", "avisar a ", True),
        ("Ordóñez", "el Sr. ", True),
        ("Pedro Salas Ruiz", "abogado ", True),
        ("Marta Peña", "según ", True),
        ("Talleres Gil", "trabaja en ", False),
        ("Mercadona", "trabaja en ", False),
        ("Julia Navarro", "trabaja en ", False),
        ("Colegio Luis Vives", "del ", False),
        ("rosa", "una ", False),
        ("Ana 3", "", False),
        ("Nuestra Señora de Candelaria", "parroquia=", False),
    ],
)
def test_who_is_somebody(value: str, before: str, expected: bool) -> None:
    assert is_somebody(value, before) is expected


@pytest.mark.parametrize("key", KEYS[:4])
@pytest.mark.parametrize("label", ["OTROS_SUJETO_ASISTENCIA", "INSTITUCION"])
def test_a_person_under_another_label_becomes_a_person(label: str, key: Key) -> None:
    new = became(f"vecina: {{Rosa Méndez Gil|{label}}}", key)[0]
    assert is_somebody(new, "vecina: ")
    assert len(new.split()) == 3


@pytest.mark.parametrize("key", KEYS[:4])
def test_a_hospital_in_several_writings_stays_one(key: Key) -> None:
    note = "{Hospital Universitario La Paz|H}; {H. La Paz|H}; {HULP|H}; {HOSPITAL UNIVERSITARIO LA PAZ|H}; {La Paz|H}"
    full, short, initials, capitals, name = became(note, key)
    tail = full.removeprefix("Hospital Universitario ")
    assert short == f"H. {tail}"
    assert initials.startswith("HU")
    assert key_of(capitals) == key_of(full)
    assert name == tail
    assert became("{Hospital General de Segovia|H}, {H.G. Segovia|H}", key)[1].startswith("H.G. ")


@pytest.mark.parametrize("key", KEYS)
def test_a_state_of_mexico_stays_short_and_its_town_and_postcode_agree(key: Key) -> None:
    town, state = became("{Puebla|T}, {Pue|T}. CURP", key)
    assert town in towns_of_state(SHORT_STATES[state.lower()], "MX").values
    code, town, state = became("CP {44100|T} {Guadalajara|T}, {Jalisco|T}", key)
    assert town in towns_of_state(state, "MX").values
    assert MEXICAN_POSTCODES[code[:2]] == state


@pytest.mark.parametrize("key", KEYS)
def test_streets_are_called_as_in_their_country(key: Key) -> None:
    american = re.compile(r"Belgrano|Bolívar|Juárez|Zapata|O'Higgins|Sarmiento|Cárdenas|Insurgentes|Prat|Sucre|Alfaro")
    assert not american.search(text_of("{Calle Pez 3|C}, {Madrid|T}", key))
    spanish = re.compile(r"Góngora|Quevedo|Río |Goya|Alfonso|Sierra|Machado|Capitán|Concepción Arenal")
    assert not spanish.search(text_of("{Av. Insurgentes 300|C}, {Ciudad de México|T}", key))


@pytest.mark.parametrize("key", KEYS[:4])
def test_columns_of_fixed_width_stay_in_place(key: Key) -> None:
    note = (
        "CAMA  NOMBRE                            EDAD  MÉDICO            TEL\n"
        "12    {Ana García López|P}                  {45|E}    {Soto|S}              x\n"
        "14    {Eva Gil|P}                           {50|E}    {Maldonado|S}         y\n"
    )
    before, after = marked(note).text.split("\n"), text_of(note, key).split("\n")
    for old, new in zip(before[1:3], after[1:3], strict=True):
        assert old != new
        places = [[m.start() for m in re.finditer(r"(?<= )(?:\d\d|\S)(?=  |$)", line)] for line in (old, new)]
        assert places[0] == places[1]
    assert "  acude" in text_of("Paciente {Ana García|P}  acude.", key)


@pytest.mark.parametrize("key", KEYS[:4])
def test_letters_of_an_institution_have_no_surrogate_and_those_of_a_hospital_a_hospital(key: Key) -> None:
    assert text_of("perito del {INACIF|INSTITUCION}", key) == "perito del [INSTITUCION]"
    assert re.fullmatch(r"en el HU[A-Z]+", text_of("en el {HUNSC|H}", key))
    assert re.fullmatch(r"en el HOSPITAL .+", text_of("en el {INCOR|H}", key))


@pytest.mark.parametrize(
    "note", ["enfermedad de Crohn (A1L1B2, {Viena|T} 1998)", "según la clasificación de {Montreal|T}"]
)
def test_a_city_that_names_a_classification_stays(note: str) -> None:
    assert text_of(note) == marked(note).text
    assert text_of("nació en {Viena|T} en invierno") != "nació en Viena en invierno"


def test_unknown_words_of_kinship_become_no_names() -> None:
    assert text_of("la {lamngen|FAM} la acompañó") == "la [FAMILIARES_SUJETO_ASISTENCIA] la acompañó"


def test_a_table_is_restored_exactly_and_its_spans_stay() -> None:
    document = marked("A   NOMBRE      EDAD\n1   {Eva Gil|P}     {45|E}\n2   {Ana Pi|P}      {52|E}\n")
    done = anonymized(Engine(read_policy("research"), KEYS[1]), document)
    assert tuple(item.span for item in done.replaced) == document.spans
    assert Entry.of(done).restore(done.text) == document.text
    assert Replacements.of(done).applied_to(document).text == done.text


def test_the_hospitals_of_a_long_list_take_time_in_proportion_to_their_number() -> None:
    values = [f"Hospital Virgen del Mar {number}" for number in range(2000)]
    began = time.process_time()
    assert [whole_name(value, values) for value in values] == values
    assert whole_name("HVM7", values) == "Hospital Virgen del Mar 7"
    assert time.process_time() - began < 5
