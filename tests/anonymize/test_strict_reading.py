"""Kinds of replacement that a strict reader stumbled over: years in numbers, listed names, accounts, common words."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.mending import as_letters
from nadie.persons.parsing import Kind, parse
from nadie.persons.people import People
from nadie.persons.sex import sex_by_name
from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.name_kin import certain_kin, listed, surname_kin
from nadie.spanish.name_pools import foreign_pool, given_pool, surnames_after_de
from nadie.spanish.population import bearers, surname_bearers
from nadie.spanish.towns import towns_of

from .marked import marked
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


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        # a title of one word, which a list of titles has for a special trade
        ("es {encofrador|PROFESION}", r"es trabajador de la construcción"),
        ("es {tintorera|PROFESION}", r"es trabajadora del textil"),
        ("es {barrendero|PROFESION}", r"es trabajador de la limpieza"),
        # the sex of the patient who is being spoken of, not of the first one in the note
        ("{Dorila Soto|P}. Otro: {Edison Gil|P}, solo. Es {guardia|PROFESION}.", r".*Es trabajador de seguridad\."),
        ("{Edison Gil|P}. Otra: {Dorila Soto|P}, sola. Es {guardia|PROFESION}.", r".*Es trabajadora de seguridad\."),
        # a field in English
        ("sex={M|X}\noccupation={truck driver|PROFESION}", r"sex=M\noccupation=\[PROFESION\]"),
        # no language is called indigenous that is not
        ("Habla {plautdietsch|ID}", r"Habla otra lengua"),
        ("Habla {yidis|ID}", r"Habla otra lengua"),
        ("Habla {guaraní|ID}", r"Habla lengua indígena"),
        # all words may be the name of a town
        ("dest={El Centro Regional|H}, bay 2", r"dest=\[HOSPITAL\], bay 2"),
        # words beside numbers, years before a colon
        ("unit={Medic 37|IDENTIF_VEHICULOS_NRSERIE_PLACAS}", r"unit=Medic \d\d"),
        ("plate={Xkt 3712|IDENTIF_VEHICULOS_NRSERIE_PLACAS}", r"plate=(?!Xkt)[A-Z][a-z]{2} \d{4}"),
        ("querella {2023:5-091-08463|OTRO_NUMERO_IDENTIF}", r"querella 20[012]\d:\d-\d{3}-\d{5}"),
        ("SSN {xxx-xx-7710|OTRO_NUMERO_IDENTIF}", r"SSN xxx-xx-(?!7710)\d{4}"),
        ("Dir: {2da entrada a mano derecha, casa 14|C}", r"Dir: 2da entrada a mano \w+, casa (?!14)\d\d"),
        ("oficina en {3rd Fl 12|C}", r"oficina en 3rd Fl (?!12)\d\d"),
        # days of the week by a letter, and a word that a scan has broken
        ("HD {L|D}-{M|D}-{V|D}", r"HD L-M-V"),
        ("es {so1tera|ID}", r"es soltera"),
        ("R1: {mjv|S}", r"R1: (?!mjv)[a-z]{3}"),
        ("{entre 7a. y 8a. avenida 12|C}", r"entre \d+a\. y \d+a\. avenida (?!12)\d\d"),
        # the year of a classification is part of its name
        ("colitis (A1L1B2, Viena {1998|D})", r"colitis \(A1L1B2, Viena 1998\)"),
        ("según los criterios ACR {1987|D}", r"según los criterios ACR 1987"),
        ("operado en Viena en {1998|D}", r"operado en Viena en (?!1998)\d{4}"),
        ("es {tropero|PROFESION}", r"es trabajador ganadero"),
        # institutions without anybody's name, and letters
        ("en {Panama Canal Railway|OTROS_SUJETO_ASISTENCIA}", r"en \[OTROS_SUJETO_ASISTENCIA\]"),
        ("en el {Buen Pastor|INSTITUCION}", r"en el \[INSTITUCION\]"),
        ("agency={Imperial County Fire/EMS|INSTITUCION}", r"agency=\[INSTITUCION\]"),
        ("{EMERGENCIAS MÉDICAS|INSTITUCION} LO TRAE", r"\[INSTITUCION\] LO TRAE"),
        ("bus de {First Student|INSTITUCION}", r"bus de \[INSTITUCION\]"),
        ("PCR al {LCSP|CENTRO_SALUD}", r"PCR al (?!LCSP)[A-Z]{4}"),
        ("en {Harinas Lezana|INSTITUCION}", r"en Harinas (?!Lezana)\S+"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", KEYS[:4])
def test_what_a_second_reader_stumbled_over(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new, re.DOTALL), new


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        # the kind of a centre before its span, and one of its quotation marks within
        ("HOSPITAL UNIVERSITARIO {VIRGEN DEL ROCÍO|H}", r"HOSPITAL UNIVERSITARIO (?!HOSP)[^a-z]+"),
        ("Centro de Salud {La Magdalena|CENTRO_SALUD}", r"Centro de Salud (?!Centro|La Magdalena).+"),
        ("Htal. {Ramos Mejía|H}, CABA", r"Htal\. (?!Hosp).+, CABA"),
        ('{HGZ No. 20 "La Margarita|H}"', r'HGZ No\. (?!20)\d\d "(?!La Margarita)[^"]+"'),
        ('{Hospital Provincial "Vladimir Lenin|H}"', r'Hospital Provincial "(?!Vladimir)[^"]+"'),
        ("baja por {Mutua Fremap|INSTITUCION}", r"baja por Mutua (?!Fremap|Madrileña).+"),
        ("asegurada de {MUFACE|INSTITUCION}", r"asegurada de (?!MUFACE|.*(?:Fremap|Asepeyo|Ibermutua|Universal)).+"),
        # who looks after people, and who looks after sheep
        ("es {evangélico|ID}, llega el {pastor|PROFESION}", r"es evangélico, llega el \[PROFESION\]"),
        ("vive en el monte, es {pastor|PROFESION}", r"vive en el monte, es trabajador ganadero"),
        # titles in the span of a name
        ("{Téc. Monteggia|S}", r"Téc\. (?!Monteggia)\w+"),
        ("{Klgo. Ramsay|S} y Klgo. {Ramsay|S}", r"Klgo\. (?!Ramsay)(\w+) y Klgo\. \1"),
        # states by letters or after a word, capitals by letters, quarters of cities
        ("{Zapopan|T}, {Jal|T}. CURP", r"\w.+, (?!Jal)(?:[A-Z][a-z]+|SLP|BC|NL)\. CURP"),
        ("{Tijuana|T}, {BC|T}. CURP", r"(?!Tijuana)\w.+, (?:AGS|CHI[HS]|COAH|DGO|GRO|GTO|HGO|JAL|MICH|OAX|PUE|QRO|TAMPS"
         r"|TLAX|YUC|ZAC|VER|SON|SIN|MOR|NAY|COL|CAMP|TAB|NL|SLP|EDOMEX)\. CURP"),
        ("{Maracay|T}, {Edo. Aragua|T}", r"(?!Maracay)\w.+, Edo\. (?:Amazonas|Anzoátegui|Apure|Barinas|Bolívar|"
         r"Carabobo|Cojedes|Delta Amacuro|Falcón|Guárico|La Guaira|Lara|Mérida|Miranda|Monagas|Nueva Esparta|"
         r"Portuguesa|Sucre|Táchira|Trujillo|Yaracuy|Zulia|Distrito Capital)"),
        ("guardia de {CABA|T}, {Junín|T}, {Neuquén|T}", r"guardia de (?!C[aA][bB][aA])[A-Z][a-zé].+"),
        ("de {Tela|T}, {Atlántida|T}, en {San Pedro Sula|T}, {DPI|INSTITUCION}", r"de .+, (?:Choluteca|Comayagua|Copán"
         r"|Cortés|El Paraíso|Francisco Morazán|Intibucá|Olancho|Yoro), en .+"),
        # places of another language of Spain stay where it is spoken
        ("{Loiola bidea 12, 3. ezk|C}", r"(?!Loiola)\w+(?: \w+)? bidea (?!12)\d\d, \d\. ezk"),
        ("{carrer de la Mar 22, 1r 2a|C}", r"carrer .+ (?!22)\d\d, 1r [1-9]a"),
        # numbers with words of a street's part, and names that need a word before them
        ("{Carrera 38 Bis No. 5B2-04|C}", r"Carrera \d\d Bis No\. \d[A-F]\d-\d\d"),
        ("{Calle 5 Poniente 312|C}", r"Calle \d Poniente \d{3}"),
        ("{Hipólito Yrigoyen 384|C}", r"(?!Alta|Ancha|Baja|Larga|Nueva|Real|Mayor)\w.+ \d{3}"),
        ("{Jr. Zela 214|C}", r"Jr\. (?!Zela|Alta|Ancha|Baja|Larga|Nueva|Real|Mayor)\w.+ \d{3}"),
        ("{AA.HH. El Obrero Mz. C Lt. 12|C}", r"AA\.HH\. (?!El Obrero)\w.+ Mz\. [A-F] Lt\. \d\d"),
        # first names with a devotion, and two first names
        ("{MUÑOZ REBOLLEDO JUAN DE DIOS|P}", r"[A-ZÁÉÍÓÚÑÜ]+ [A-ZÁÉÍÓÚÑÜ]+ [A-ZÁÉÍÓÚÑÜ]+"),
        ("{Génesis del Valle Rondón|P}", r"\w+ \w+"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", KEYS[:4])
def test_what_thirty_fresh_notes_showed(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new, re.DOTALL), new


@pytest.mark.parametrize("key", KEYS)
def test_two_first_names_stay_two(key: Key) -> None:
    first, second = became("{Ana Karen|P}", key)[0].split()
    assert all(bearers(key_of(name)) > surname_bearers(key_of(name)) for name in (first, second))


@pytest.mark.parametrize(
    ("note", "sex"),
    [
        ("{Yusimí Pupo Góngora|P}, 31 a, {dependienta|PROFESION}", "f"),
        ("{Yurani Chocué Ipia|P}, gestación actual 11 sem", "f"),
        ("{Yulieski Pupo|P}, PSA 12", "m"),
        ("Acude con su {concubino|FAM} {Yenesei|FAM}", "m"),
        ("{Anabí Soto|P}, {soltera|ID}", "f"),
        ("{Yenesei Soto|P}, raza {negra|ID}, {obrero|PROFESION}", "m"),
        ("RN de término, madre gestante sana. {Yenesei Soto|P}", ""),
    ],
)
def test_the_sex_of_a_name_that_no_list_has(note: str, sex: str) -> None:
    assert People(marked(note)).persons[0].sex == sex


@pytest.mark.parametrize(
    ("note", "provinces"),
    [
        ("vive en el {carrer de la Mar 22|C} de {Palamós|T}", {"03", "07", "08", "12", "17", "25", "43", "46"}),
        ("refire que a filla vive en {O Grove|T}", {"15", "27", "32", "36"}),
        ("vive con su amatxu en {Azpeitia|T}", {"01", "20", "31", "48"}),
    ],
)
@pytest.mark.parametrize("key", KEYS)
def test_a_town_lies_where_the_language_of_single_words_is_spoken(note: str, provinces: set[str], key: Key) -> None:
    town = became(note, key)[-1]
    assert any(town in towns_of(code).values or town == tables.provinces()[code].capital for code in provinces)


@pytest.mark.parametrize(
    ("surname", "region"),
    [("Quispe", "andean"), ("Huenchumil", "mapuche"), ("Tzunux", "maya"), ("Tecuapetla", "nahua"), ("Chocué", "cauca")],
)
@pytest.mark.parametrize("key", KEYS[:4])
def test_a_surname_of_the_first_peoples_stays_of_its_region(surname: str, region: str, key: Key) -> None:
    new = became(f"{{Rosa {surname} García|P}}", key)[0].split()
    assert new[1] in listed("surnames", region)
    assert new[2] not in listed("surnames", region)


@pytest.mark.parametrize("name", ["alguacil", "oubina", "alferez", "azanza", "elorduy", "bendana", "benlloch", "alava"])
def test_surnames_of_spain_that_sound_arabic_are_of_spain(name: str) -> None:
    assert surname_kin(name, "ea", surname_bearers(name)) != "ar"
    assert surname_kin(name, "es", surname_bearers(name)) != "ar"


@pytest.mark.parametrize("key", KEYS)
def test_names_from_a_macintosh_are_read_as_they_were_written(key: Key) -> None:
    new = became("{JosŽ Joaqu’n|P} {Mart’nez de la Pe–a|P}, Dr. {Nœ–ez Rold‡n|S}, {BelŽn çvila|S}", key)
    assert all(letter.isalpha() or letter == " " for name in new for letter in name), new
    assert sex_by_name([key_of(new[0].split()[0])]) == "m"
    assert sex_by_name([key_of(new[3].split()[0])]) == "f"


@pytest.mark.parametrize("key", KEYS)
def test_digits_that_a_scan_has_put_into_a_name(key: Key) -> None:
    new = became("{Andr3a Soto|S}, {Dam4ry Kuhn|S}", key)
    assert not any(letter.isdigit() for name in new for letter in name), new
    assert sex_by_name([key_of(new[0].split()[0])]) == "f"


@pytest.mark.parametrize("key", KEYS)
def test_a_rare_first_name_beside_a_foreign_surname(key: Key) -> None:
    given = became("{Lyudmila Zhuk|P}", key)[0].split()[0]
    pool = foreign_pool("lyudmila", "uk", "f")
    assert pool
    assert given in pool.values


@pytest.mark.parametrize("name", ["D’Angelo", "O’Neill", "Lecœur", "Pérez–Gil", "Garçon", "d’Ors"])
def test_other_names_have_no_sign_of_a_macintosh(name: str) -> None:
    assert as_letters(name) == name


@pytest.mark.parametrize("key", KEYS)
def test_a_first_name_of_the_origin_of_the_surname(key: Key) -> None:
    given, surname = became("{Wei Zhang|P}", key)[0].split(" ", 1)
    assert any(given in given_pool("wei", sex).values for sex in "mf")
    assert certain_kin([key_of(surname)]) == "zh"
