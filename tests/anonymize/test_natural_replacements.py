"""Natural replacements: each test is one type of mistake that was found by reading."""

from __future__ import annotations

import re

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.spanish.folding import key_of
from nadie.spanish.towns import SHORT_STATES, TOWNS_OF_AMERICA, country_of, is_state, towns_of_state
from nadie.surrogates.quarters import quarters

from .marked import KEY, OTHER_KEY, anonymized, marked

RESEARCH = read_policy("research")
KEYS = [KEY, OTHER_KEY, *(Key(bytes([n]) * 32) for n in range(1, 7))]


def became(note: str, key: Key = KEY) -> list[str]:
    """What stands for each span of a marked note; kept ones are as they were."""
    document = marked(note)
    done = anonymized(Engine(RESEARCH, key), document)
    return [done.text[item.start : item.end] for item in done.replaced if item.span in document.spans]


def text_of(note: str, key: Key = KEY) -> str:
    return anonymized(Engine(RESEARCH, key), marked(note)).text


@pytest.mark.parametrize("key", KEYS)
def test_a_town_lies_in_the_state_that_is_named_beside_it(key: Key) -> None:
    town, state = became("vive en {Zacualpan|T}, {Veracruz|T}, CURP", key)
    assert is_state(key_of(state), "MX")
    assert town in towns_of_state(state, "MX").values
    again, short = became("{Chaucingo|T}, {Gro|T}. CURP", key)
    assert again in towns_of_state(SHORT_STATES.get(short.lower(), short), "MX").values
    city, code = became("{Fresno|T}, {CA|T}, Medicare", key)
    assert city in TOWNS_OF_AMERICA[code]


@pytest.mark.parametrize(
    "note",
    ["Bo. {Guadalupe|T}", "vereda {Las Guamas|T}", '"barrio":"{Príncipe Alfonso|T}"', "COL. {VILLA FLORES|T}",
     "{Parcelas Peñuelas|T}", "{Vilaflores|T}, {Getafe|T}"],
)  # fmt: skip
def test_a_quarter_becomes_a_quarter_and_no_city(note: str) -> None:
    first = became(note)[0]
    assert any(first.lower().endswith(quarter.lower()) for quarter in quarters())


def test_towns_of_a_note_from_america_lie_there_though_spain_has_one_of_that_name() -> None:
    assert country_of(key_of(became("tablilla ABC-123, vive en {Salinas|T}")[0])) == "PR"
    assert country_of(key_of(became("ficha en {www.uci.example.pe|URL_WEB}, vive en {Ñaupamarca|T}")[1])) == "PE"
    assert became("vive en {Bledalillo|T}")[0] in quarters()  # nothing tells the country


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("antes de {Fiestas Patrias|D}", "antes de las fiestas"),
        ("la noche de la {Gritería Chiquita|D}", "la noche de la fiesta"),
        ("las fiestas del {Señor Caído|D}", "las fiestas del pueblo"),
        ("el {Señor Caído|D} no vino", "el día de fiesta no vino"),
        ("CAÍDA {SANTO TORIBIO|D}", "CAÍDA [FECHAS]"),
        ("CERRADO EN {SANTO TORIBIO|D}", "CERRADO EN LAS FIESTAS"),
        ("before {Easter|D}", "before the holidays"),
    ],
)
def test_a_feast_whose_day_nobody_knows(note: str, expected: str) -> None:
    assert text_of(note) == expected


def test_a_feast_after_a_preposition_or_in_a_night() -> None:
    assert re.fullmatch(r"No se atiende por las fiestas de \w+", text_of("No se atiende por {Urkupiña|D}"))
    assert re.fullmatch(r"la noche de fiesta del \d+ de \w+", text_of("la noche de {Día de Muertos|D}"))


def test_dates_with_letters_for_figures_and_with_the_month_first() -> None:
    for note in ("{6/l4/24|D}", "{2l de junio|D}", "{l9-II-2O24|D}"):
        assert "[" not in text_of(note)
        assert re.search(r"[lO]", text_of(note).removesuffix("julio").removesuffix("abril")) is None
    weekday, _, day = text_of("{lunes 03/11/2024|D}").partition(" ")
    assert weekday == "lunes"
    assert day != text_of("{03/11/2024|D}")  # 11 March was a Monday, and 3 November a Sunday
    assert text_of("PRÓXIMA {jueves 22|D}").startswith("PRÓXIMA jueves ")


@pytest.mark.parametrize("key", KEYS)
def test_letters_that_a_scan_read_as_figures_do_not_stay(key: Key) -> None:
    note = "Pte {MARC0NE LLANES|P}, hijo {Ribeir0 Gil|FAM}, {T0neler0|PROFESION} de {Vit0ria|T}, {19 an0s|E}"
    name, relative, job, town, age = became(note, key)
    assert not any(map(str.isdigit, name + relative + job + town))
    assert re.fullmatch(r"\d\d anos", age)


@pytest.mark.parametrize("key", KEYS)
def test_the_article_tells_the_sex_of_a_worker_and_a_nickname(key: Key) -> None:
    assert became("{Ana Soto Gil|P}, mujer. Murió el {chofer|PROFESION}", key)[1] == "conductor"
    assert became("{Ana Soto Gil|P}. Ocupación: {mundillista|PROFESION}", key)[1] == "trabajadora del textil"
    assert (
        became('"el {Chispa|P}"', key)[0]
        in "Chato Rubio Pecas Zurdo Rizos Canijo Largo Moreno Colorao Flaco Chino Pelos"
    )


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        ("volvió a {dar clase de euskera|PROFESION}", r"volvió a trabajar en .+"),
        ("su jefe: {jefe directo|FAM}", r"su jefe: jefe directo"),
        ("cultivo en {Fcia. San Basilio|CENTRO_SALUD}", r"cultivo en Fcia\. .+"),
        ("remite {CPN de Imbert|CENTRO_SALUD}", r"remite CPN de .+"),
        ("al {Juzgado Penal Juvenil de Puntarenas|INSTITUCION}", r"al Juzgado Penal Juvenil de .+"),
        ("{SEGURO GENERAL|INSTITUCION}", r"SEGURO GENERAL"),
        ("en {Sierra Vista Elementary|INSTITUCION}", r"en \S+ Elementary"),
        ("en {Ferretería La Miraflores|OTROS_SUJETO_ASISTENCIA}", r"en Ferretería [A-Z]\w+"),
        ("avisó la {Policía Municipal|INSTITUCION}", r"avisó la Policía Municipal"),
        ("{I.E. 50817|INSTITUCION}", r"I\.E\. \d{5}"),
        ("del {2c al sur, 1/2c abajo|CALLE}", r"del \dc al sur, 1/2c abajo"),
        ("{4a. calle 2-10, zona 3|CALLE}", r"\da\. calle \d-\d\d, zona \d"),
        ("{Jr. Bolognesi 418|CALLE}", r"Jr\. .+ \d{3}"),
        ("{Ruta IB km 42|CALLE}", r"Ruta IB km \d\d"),
        ("{Ruta PY03 km 231|CALLE}", r"Ruta PY\d\d km \d{3}"),
        ("{bl. 7, 3.º A|CALLE}", r"bl\. \d, \d\.º [A-H]"),
        ("la {última casa del camino, junto al pozo|CALLE}", r"la (?:\w+a )?casa .+"),
        ("{AV. DE LOS SAUCES MZ 14 LT 6|CALLE}", r"AV\. .+ MZ \d\d LT \d"),
        ("{Línea entre 8 y 10|CALLE}", r".+ entre \d y \d\d"),
        ("usuario {gsoriano2|ID_EMPLEO_PERSONAL_SANITARIO}", r"usuario u\d{5}"),
        ("a {atestados@correo.es|MAIL}", r"a atestados@.+"),
        ("Fono: +{56 9 0001 7723|TEL}", r"Fono: \+56 9 \d{4} \d{4}"),
        ("su pareja, {Nora|FAM}", r"su pareja, (?!Nora)[A-Z]\w+"),
        ("ID {V-9.417.228|ID}", r"ID V-\d\.\d{3}\.\d{3}"),
        ("tatuaje de {un colibrí en la muñeca|OTROS_SUJETO_ASISTENCIA}", r"tatuaje de una? \w+"),
        ("es {la primera mujer que ganó|OTROS_SUJETO_ASISTENCIA}", r"es una persona conocida"),
        ("marca: {una quemadura en forma de herradura|OTROS_SUJETO_ASISTENCIA}", r"marca: una quemadura"),
        ("tel. {seis cuarenta y dos|TEL}", r"tel\. \w+ \w+ y (?!cero)\w+"),
        ("{HTTPS://BITACORA.ES/40917|URL_WEB}", r"HTTPS://[A-Z-]+\.EXAMPLE/\d{5}"),
        ("el podenco {Canelo|OTROS_SUJETO_ASISTENCIA}", r"el podenco (?!Can)[A-Z]\w+"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", KEYS[:3])
def test_the_form_of_the_original_stays(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new), new


def test_a_short_form_of_the_patients_name_is_the_patient() -> None:
    for full, short in (("Yanela Cosenza Pereyra", "Yani"), ("Remberto Landriel", "Remi")):
        name, nickname = became(f"{{{full}|P}}, le dicen {{{short}|P}}")
        assert key_of(nickname)[:3] == key_of(name)[:3]


@pytest.mark.parametrize(
    "note",
    ["{Marlene Thomas Gil|P}\n| Thomas | (+) der", "{Hamid Paget|P}: rev. enf. Paget, gammagrafía",
     "Cama 11, {Fournier|P}; la gangrena de Fournier es del otro", "{Colles Ayala|P}, fx Colles desplazada",
     "{Ana Arias Gil|P}: reacción de Arias-Stella. Es Arias-Stella."],
)  # fmt: skip
def test_an_eponym_stays_where_the_patient_bears_it(note: str) -> None:
    term = re.split(r"[}:\n;,]", note, maxsplit=2)[-1].strip()
    assert term.split("|P}")[-1] in text_of(note)


def test_an_account_that_is_a_word_as_well_does_not_stay() -> None:
    assert "prosas@" not in text_of("{Purificación Rosas Gil|P}, {prosas@correo.es|MAIL}")
    assert "prosas@" not in text_of("escribir a {prosas@correo.es|MAIL}")


def test_initials_that_could_be_particles_do_not_stay() -> None:
    assert "I.D" not in text_of("resultados de {I.D|P}. {Ilia Da Rosa Guerra|P}")


@pytest.mark.parametrize("key", KEYS)
def test_an_age_agrees_with_a_year_of_birth(key: Key) -> None:
    age, born, seen = became("{93 años|E}, nacida en {1926|D}. Acude en {2019|D}", key)
    assert int(age.split()[0]) == int(seen) - int(born)
