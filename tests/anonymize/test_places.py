"""Towns, provinces, postcodes and telephone prefixes that agree."""

from __future__ import annotations

import pytest

from nadie.anonymize.context import Settings
from nadie.anonymize.decision import KEEP
from nadie.anonymize.secret import Key
from nadie.spanish import tables
from nadie.spanish.folding import key_of

from .marked import KEY, OTHER_KEY, context_of, marked

PROVINCE = Settings(places_within="province")


def territories(text: str, key: Key = KEY, **changes: object) -> list[object]:
    note = marked(text)
    context = context_of(note, key, **changes)
    return [context.places.territory(span) for span in note.spans if span.label == "TERRITORIO"]


@pytest.mark.parametrize("key", [KEY, OTHER_KEY])
@pytest.mark.parametrize(
    "text", ["Localidad: {Getafe|T}. CP: {28901|T}", "{28012|T} {Madrid|T} {España|PAIS}", "{Vigo|T} ({Pontevedra|T})"]
)
def test_an_address_stays_in_one_province(text: str, key: Key) -> None:
    new = [str(value) for value in territories(text, key)]
    codes = {value[:2] if value.isdigit() else tables.town_codes()[key_of(value)] for value in new}
    assert len(codes) == 1
    old = {v[:2] if v.isdigit() else tables.town_codes()[key_of(v)] for v in ["Madrid", "Pontevedra"]}
    assert not codes & old


def test_a_landline_gets_the_prefix_of_the_new_province() -> None:
    note = marked("{Getafe|T} {28901|T}. Tel.: {91 682 11 22|TEL}. Móvil: {612 345 678|TEL}")
    context = context_of(note)
    town = str(context.places.territory(note.spans[0]))
    phone, mobile = (str(context.contacts.phone(note.text_of(s))) for s in note.spans[2:])
    prefixes = tables.provinces()[tables.town_codes()[key_of(town)]].prefixes
    assert phone.replace(" ", "").startswith(prefixes)
    assert len(phone.replace(" ", "")) == 9
    assert mobile[0] == "6"
    assert [len(group) for group in mobile.split()] == [3, 3, 3]


def test_provinces_by_reading() -> None:
    town, province = (str(value) for value in territories("vive en {Móstoles|T}, {Madrid|T}"))
    assert key_of(province) in tables.province_codes()
    assert tables.town_codes()[key_of(town)] == tables.province_codes()[key_of(province)]
    (named,) = territories("Provincia: {Asturias|T}")
    assert key_of(str(named)) in tables.province_codes()


def test_within_the_province() -> None:
    town, province, code = territories("{Móstoles|T}, {Madrid|T} {28931|T}", settings=PROVINCE)
    assert province is KEEP
    assert tables.town_codes()[key_of(str(town))] == "28"
    assert str(code).startswith("28")
    assert code != "28931"


def test_a_small_town_has_one_postcode() -> None:
    first, town, second = territories("{28901|T} {Getafe|T}, antes {28905|T}", others={"x"})
    assert first == second
    assert key_of(str(town)) not in tables.capital_codes()


def test_towns_abroad_stay_in_their_country() -> None:
    (new,) = territories("{Rosario|T}, {Argentina|PAIS}")
    assert new in tables.towns_abroad()["AR"]
    assert new != "Rosario"
    (new,) = territories("natural de {Guayaquil|T}")
    assert new in tables.towns_abroad()["EC"]


@pytest.mark.parametrize("value", ["Villaconejos de Arriba", "CA", "SLP", "E-28012", "S2000", "Nvo León", "110151"])
def test_whatever_is_called_a_territory_changes(value: str) -> None:
    (new,) = territories(f"{{{value}|T}}")
    assert isinstance(new, str)
    assert key_of(new) != key_of(value)
    assert sum(c.isdigit() for c in new) == sum(c.isdigit() for c in value)


def test_regions_give_way_to_regions() -> None:
    (new,) = territories("natural de {Extremadura|T}")
    assert key_of(str(new)) in tables.regions()
    assert new != "Extremadura"


def test_no_town_of_the_run_is_drawn() -> None:
    taken = frozenset(key_of(name).replace(" ", "") for name in tables.drawn_towns("50")[:-3])
    for number in range(30):
        (new,) = territories("{Teruel|T}", others=set(taken), scope=str(number))
        assert key_of(str(new)).replace(" ", "") not in taken


@pytest.mark.parametrize(
    ("value", "start", "end"),
    [
        ("C/ Hilera, 13 2B", "C/ ", ""),
        ("Calle de la Viña, 17, 1.º B", "Calle de", ""),
        ("Avda. Pío XII, s/n", "Avda. ", ", s/n"),
        ("Ctra. Colmenar Viejo Km 9,1", "Ctra. ", ""),
        ("Plaza del Campo, 7, bajo", "Plaza del", ", bajo"),
        ("calle mayor 3", "calle ", ""),
        ("Calle 64 A No. 52-53", "Calle ", ""),
        ("Carrera 3 # 49-00", "Carrera ", ""),
    ],
)
def test_streets_keep_their_form(value: str, start: str, end: str) -> None:
    new = context_of(marked("x")).streets.rewrite(value)
    assert new is not None
    assert new.startswith(start.removesuffix("l").removesuffix(" la"))
    assert new.endswith(end)
    assert new != value
    assert [len(n) for n in _numbers(new)] == [len(n) for n in _numbers(value)]
    assert value.islower() == new.islower()


def _numbers(text: str) -> list[str]:
    return "".join(c if c.isdigit() else " " for c in text).split()


def test_no_number_of_a_street_stays() -> None:
    for number in range(1, 60):
        new = context_of(marked("x"), scope=str(number)).streets.rewrite(f"C/ Sol, {number}, 2 A")
        assert new is not None
        assert _numbers(new)[0] != str(number)
        assert _numbers(new)[1] != "2"


def test_second_names_in_an_address_do_not_stay() -> None:
    new = context_of(marked("x")).streets.rewrite("Mezquita, 4, Paraje Los Arcos, Edificio Torreblanca")
    assert new is not None
    assert "Arcos" not in new
    assert "Torreblanca" not in new


@pytest.mark.parametrize(
    ("value", "label", "start"),
    [
        ("Hospital General Universitario Gregorio Marañón", "HOSPITAL", "Hospital General Universitario "),
        ("Complejo Hospitalario de Jaén", "HOSPITAL", "Complejo Hospitalario de "),
        ("Hospital Clínico", "HOSPITAL", "Hospital Clínico "),
        ("Hospital General de Ciudad Real", "HOSPITAL", "Hospital General "),
        ("Hospital Civil Carlos Haya de Málaga", "HOSPITAL", "Hospital Civil "),
        ("Centro de Salud Las Calesas", "CENTRO_SALUD", "Centro de Salud "),
        ("Clínica Vistahermosa", "HOSPITAL", "Clínica "),
        ("Universidad de Navarra", "INSTITUCION", "Universidad "),
        ("Facultad de Odontología", "INSTITUCION", "Facultad de "),
        ("Pfizer", "INSTITUCION", ""),
        ("CHUAC", "HOSPITAL", ""),
    ],
)
def test_hospitals_by_hospitals(value: str, label: str, start: str) -> None:
    note = marked(f"en el {{{value}|{label}}}")
    context = context_of(note)
    new = context.centres.rewrite(value, label, context.places.address(note.spans[0]))
    assert new is not None
    assert new.startswith(start)
    assert key_of(new) != key_of(value)
    assert not set(key_of(value.removeprefix(start)).split()) & set(key_of(new.removeprefix(start)).split()) - {"de"}


def test_a_hospital_moves_with_its_town() -> None:
    note = marked("{Hospital de Getafe|H}, {Getafe|T}")
    context = context_of(note)
    town = str(context.places.territory(note.spans[1]))
    assert context.centres.rewrite("Hospital de Getafe", "HOSPITAL", context.places.address(note.spans[0])) == (
        f"Hospital de {town}"
    )
