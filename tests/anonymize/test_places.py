"""Towns, provinces, postcodes and telephone prefixes that agree."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from nadie.anonymize.context import PolicyOptions
from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.towns import country_of, towns_abroad, towns_of
from nadie.surrogates.decision import KEEP
from nadie.surrogates.originals import Originals
from nadie.surrogates.pets import PETS
from nadie.surrogates.places import Places
from nadie.surrogates.quarters import quarters

from .marked import KEY, OTHER_KEY, anonymized, context_of, marked

PROVINCE = PolicyOptions(places_within="province")


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
    assert codes != {"36" if "Vigo" in text else "28"}


def test_landlines_of_a_province_have_one_prefix() -> None:
    note = marked("{Getafe|T} {28901|T}. Tel.: {91 682 11 22|TEL}. Móvil: {612 345 678|TEL}")
    context = context_of(note)
    phone, mobile = (str(context.phones.rewrite(note.text_of(s))) for s in note.spans[2:])
    others = [str(context.phones.rewrite(number)) for number in ("914 44 55 66", "91 123 45 67", "918112233")]
    assert {other.replace(" ", "")[:3] for other in (*others, phone)} == {phone.replace(" ", "")[:3]}
    assert len(phone.replace(" ", "")) == 9
    assert mobile[0] == "7"
    assert [len(group) for group in mobile.split()] == [3, 3, 3]


def test_provinces_by_reading() -> None:
    town, province = (str(value) for value in territories("vive en {Móstoles|T}, {Madrid|T}"))
    assert key_of(province) in tables.province_codes()
    assert tables.town_codes()[key_of(town)] == tables.province_codes()[key_of(province)]
    (named,) = territories("Provincia: {Asturias|T}")
    assert key_of(str(named)) in tables.province_codes()


def test_within_the_province() -> None:
    town, province, code = territories("{Móstoles|T}, {Madrid|T} {28931|T}", options=PROVINCE)
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
    assert new in towns_abroad("AR").values
    assert new != "Rosario"
    (new,) = territories("natural de {Guayaquil|T}")
    assert new in towns_abroad("EC").values


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
    taken = frozenset(key_of(name).replace(" ", "") for name in towns_of("50").values[:-3])
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
    assert not set(key_of(value.removeprefix(start)).split()) & set(key_of(new.removeprefix(start)).split()) - {
        "de",
        "las",
    }


def test_a_hospital_moves_with_its_town() -> None:
    note = marked("{Hospital de Getafe|H}, {Getafe|T}")
    context = context_of(note)
    town = str(context.places.territory(note.spans[1]))
    assert context.centres.rewrite("Hospital de Getafe", "HOSPITAL", context.places.address(note.spans[0])) == (
        f"Hospital de {town}"
    )


@pytest.mark.parametrize(
    ("note", "country"),
    [
        ("nacida en {Londres|T} ({Reino Unido|PAIS})", "GB"),
        ("natural de {Tánger|T} ({Marruecos|PAIS})", "MA"),
        ("natural de {Leópolis|T}, {Ucrania|PAIS}", "UA"),
        ("procede de {Bucarest|T}", "RO"),
    ],
)
def test_a_town_abroad_stays_in_its_country(note: str, country: str) -> None:
    for scope in range(10):
        document = marked(note)
        new = context_of(document, scope=str(scope)).places.territory(document.spans[0])
        assert str(new) in towns_abroad(country).values
        assert str(new) != document.text_of(document.spans[0])


def test_unknown_towns_lie_where_the_others_do() -> None:
    note = marked("De {Medellín|T} a {Envigado|T}, y luego a {Zyxwv|T}")
    context = context_of(note)
    assert all(str(context.places.territory(span)) in towns_abroad("CO").values for span in note.spans)


def test_an_address_in_two_writings_is_one() -> None:
    streets = context_of(marked("x")).streets
    one, two, three = (str(streets.rewrite(v)) for v in ("C/ Mayor, 15", "Calle Mayor 15, 3º B", "CALLE MAYOR Nº 15"))
    number = one.split()[-1]
    assert number in two
    assert three.endswith(number)
    assert key_of(one.partition(",")[0].removeprefix("C/ ")) in key_of(two)
    assert key_of(one.partition(",")[0].removeprefix("C/ ")) in key_of(three)


def test_towns_are_drawn_by_their_inhabitants() -> None:
    pool = towns_of("28")
    drawn = Counter(KEY.draw(pool, lambda town: True, "t", str(n)) for n in range(3000))
    assert drawn["Móstoles"] > 10 * drawn["Chinchón"]
    assert drawn["Madrid"] == 0


def test_a_country_counts_for_its_own_address() -> None:
    note = marked(
        "Natural de {Londres|T} ({Reino Unido|PAIS}). Vive en {Móstoles|T}, {Madrid|T}. Viajó a {Lyon|T}, "
        "{Francia|PAIS}; {Rabat|T}, {Marruecos|PAIS}"
    )
    places = Places(note, KEY, "s", Originals(set()), "country")
    countries = [places.address(span).country for span in note.spans]
    assert countries == ["GB", "GB", None, None, "FR", "FR", "MA", "MA"]
    london, _, town, province, *_ = (places.territory(span) for span in note.spans)
    assert country_of(key_of(str(london))) == "GB"
    assert tables.town_codes()[key_of(str(town))] == tables.province_codes()[key_of(str(province))]


def test_a_kind_of_hospital_before_its_town_stays() -> None:
    text = anonymized(Engine(read_policy("research"), KEY), marked("en el {Hospital General|H} de {Lugo|T}")).text
    assert key_of(text.removeprefix("en el Hospital General de ")) in tables.town_codes()


@pytest.mark.parametrize(
    ("note", "country"),
    [
        ("CURP y NSS del IMSS. Vive en {Chaucingo|T}", "MX"),
        ("Obra social OSDE. Vive en {Obispo Trejo|T}", "AR"),
        ("Nacida en {Alemania|PAIS}. Derechohabiente, acudió desde {Hool|T}", "MX"),
    ],
)
def test_words_tell_the_country_of_a_town_that_no_table_knows(note: str, country: str) -> None:
    (new,) = territories(note)
    assert str(new) in towns_abroad(country).values


def test_a_country_that_is_only_mentioned_moves_no_town() -> None:
    (new,) = territories("Padre de {Senegal|PAIS}. Vive a la altura de {Los Gallegos|T}.")
    assert new in quarters()  # which every country has


def test_states_and_two_names_of_one_town() -> None:
    (new,) = territories("placas de {Texas|T}")
    assert new in ("California", "Florida", "Arizona", "Oregón", "Nuevo México", "Nevada", "Utah", "Illinois", "Ohio",
                   "Colorado", "Kansas", "Misuri", "Iowa", "Míchigan", "Minnesota", "Alabama", "Idaho")  # fmt: skip
    assert tables.town_codes()["mao"] == tables.town_codes()["mahon"] == "07"


@pytest.mark.parametrize(
    ("value", "label", "pattern"),
    [
        ("A-138, km 41", "CALLE", r"A-\d{3}, km \d\d"),
        ("Carr. 149, casa crema", "CALLE", r"Carr\. \d{3}, casa crema"),
        ("1140 E Olive Ave", "CALLE", r"\d{4} E [A-Z]\w+ Ave"),
        ("DISPENSARIO BIANCHINI", "CENTRO_SALUD", r"DISPENSARIO [A-ZÁÉÍÓÚÑ ]+"),
        ("MATERNIDAD DE DEÁN", "HOSPITAL", r"MATERNIDAD [A-ZÁÉÍÓÚÑ ]+"),
        ("Isapre Cruz Blanca", "INSTITUCION", r"Isapre \w+"),
        ("Molino Las Breñas", "OTROS_SUJETO_ASISTENCIA", r"Molino \w+"),
        ("farm_aparicio", "ID_EMPLEO_PERSONAL_SANITARIO", r"farm_\w+"),
        ("DETRÁS DEL LAVADERO VIEJO", "CALLE", r"[A-ZÁÉÍÓÚÑ ,]+"),
        ("Fiscalía de Tehuacán", "INSTITUCION", r"Fiscalía de [A-Z].*"),
        ("JUZGADO N.º 2 DE PUERTOLLANO", "INSTITUCION", r"JUZGADO N\.º \d DE [A-ZÁÉÍÓÚÑ ]+"),
        ("CORTIJO DE LA HOZ, CTRA. CM-4157", "CALLE", r"[A-ZÁÉÍÓÚÑ ]+, CTRA\. CM-\d{4}"),
        ("Notaría 2", "INSTITUCION", r"Notaría \d"),
        ("I.E. Nemocón", "INSTITUCION", r"I\.E\. [A-Z].*"),
        ("EPS Famisanar", "INSTITUCION", r".*EPS.*"),
        ("tercera casa después de la gallera", "CALLE", r"[a-z].*"),
    ],
)
def test_what_a_thing_is_stays(value: str, label: str, pattern: str) -> None:
    text = anonymized(Engine(read_policy("research"), KEY), marked(f"{{{value}|{label}}}")).text
    assert text != value
    assert re.fullmatch(pattern, text)


def test_an_animal_is_no_firm() -> None:
    note = marked("echa de menos a {Trasto|OTROS_SUJETO_ASISTENCIA}, el gato")
    text = anonymized(Engine(read_policy("research"), KEY), note).text
    assert text.split()[4].strip(",") in PETS["m"]


def test_a_body_that_every_town_has_stays() -> None:
    text = anonymized(
        Engine(read_policy("research"), KEY), marked("avisó la {Guardia Civil|INSTITUCION} de {Lugo|T}")
    ).text
    assert text.startswith("avisó la Guardia Civil de ")
    assert "Lugo" not in text
