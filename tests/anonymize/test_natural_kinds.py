"""Replacements that keep their kind: each example is like a mistake that was found by reading anonymized notes."""

from __future__ import annotations

import re

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.sex import sex_by_name
from nadie.spanish import tables
from nadie.spanish.folding import key_of

from .test_natural_replacements import KEYS, became, text_of


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        ("{417 38th Street, Apt. 3R|C}", r"\d{3} [A-Z][a-z]+ Street, Apt\. \dR"),
        ("{carpa B12|C}", r"carpa [A-Z]\d\d"),
        ("{diagonal al puesto de mangos, casa de palma|C}", r"(?!diagonal).+"),
        ("{maestra|PROFESION} en la {Escuela 41|INSTITUCION}", r"docente en la Escuela \d\d"),
        ("{Cuida niños|PROFESION} en la {Escuela 41|INSTITUCION}", r"Trabaja en el cuidado de personas en la .+"),
        ("{Frutícola Río Claro|OTROS_SUJETO_ASISTENCIA}", r"Frutícola \w+"),
        ("{Puerto Rico Packs|OTROS_SUJETO_ASISTENCIA}", r"\[OTROS_SUJETO_ASISTENCIA\]"),
        ("la {víspera de Sant Sebastià|D}", r"la víspera de la fiesta"),
        ("el mismo {Martes de Campo|D}", r"el mismo día de fiesta"),
        ("antes del {Dieciocho|D}", r"antes del día de fiesta"),
        ("desde el {94|D}", r"desde el \d\d"),
        ("lleva {un drago|OTROS_SUJETO_ASISTENCIA}", r"lleva un \w+"),
        ("la llaman {la última churrera|OTROS_SUJETO_ASISTENCIA}", r"la llaman la Rubia"),
        ("salió {en la Teletón de 1981|OTROS_SUJETO_ASISTENCIA}", r"salió en un programa de televisión"),
        ("{búlgaro|ID}, tío en {Bulgaria|PAIS}", r"búlgaro, tío en Bulgaria"),
        ("salió por el {Darién|T}", r"salió por el (?:Altiplano|Valle|Litoral|Interior)"),
        ("{Cantón El Algodón|T}", r"Cantón .+"),
        ("{Elicia D' Angelo|S}", r"\w+ D' \w+"),
        ("{al lado del colmado Lentini, 2 casas|C}", r"al lado del colmado [A-Z][\w ]+, \d casas"),
        ("{300 m sur de la plaza de Tucurrique|C}", r"\d{3} m sur de la plaza de [A-Z][\w ]+"),
        ("{Mz. D lote 14, a la espalda del mercado|C}", r"Mz\. [A-F] lote \d\d, a la espalda del mercado"),
        ("{HC-01 Box 4471|C}", r"HC-\d\d Box \d{4}"),
        ("vive en la {pieza encima de la panadería|C}", r"vive en la (?:\w+ )?casa .+"),
        ("vive en el {cuarto encima de la panadería, al fondo del patio|C}", r"vive en el (?:piso|edificio) .+"),
        ("na {casa de pedra detrás do cruceiro|C}", r"na (?:\w+ )?casa \D*(?:da|a carón da) \w+"),
        ("{Carrer de ses Barques 15|C}", r"Carrer (?:Major|Nou|de|del|dels|de la|de les|de l'\w+)\b.* \d\d"),
        ("{CASA DE ADOBE JUNTO AL LAVADERO|C}", r"[A-ZÁÉÍÓÚÑ, ]*CASA [A-ZÁÉÍÓÚÑ, ]+"),
        ("{Caserío Iturri Zahar, Barrio Alto s/n|C}", r"Caserío [\w ]+, Barrio [\w ]+ s/n"),
        ("avisó la {Policía Foral|INSTITUCION}", r"avisó la (?:Ertzaintza|Policía Canaria)"),
        ("el {Comité de Ética|INSTITUCION}", r"el Comité de Ética"),
        ("la {Policía Nacional del Perú|INSTITUCION}", r"la Policía Nacional del Perú"),
        ("{Fiscalía de Menores de Badajoz|INSTITUCION}", r"Fiscalía de Menores de .+"),
        ("{Juzgado de lo Contencioso n.º 14|INSTITUCION}", r"Juzgado de lo Contencioso n\.º \d\d"),
        ("{CP SAN BABIL|INSTITUCION}", r"CP [A-ZÁÉÍÓÚÑ ]+"),
        ("{U.E. Simón Bolívar|INSTITUCION}", r"U\.E\. .+"),
        ("{112 Asturias|INSTITUCION}", r"112 .+"),
        ("con el {Conape Norte|INSTITUCION}", r"con el \[INSTITUCION\]"),
        ("{da clases|PROFESION} en la ENU", r"trabaja en la enseñanza en la ENU"),
        ("antes {pesaba mineral|PROFESION}", r"antes trabajaba en .+"),
        ("{luthier de bandoneones|PROFESION}", r"(?!trabajar).+"),
        ("{policía|PROFESION} de la {Policía Local|INSTITUCION}", r"trabajadora? de seguridad de la Policía Local"),
        ("{9 yo|E}, {58 afios|E}, {3O a|E}", r"\d+ yo, \d\d afios, \d\d a"),
        ("{ochenta y pico|E}", r"ochenta y pico"),
        ("sale en {el anuncio de la tele|OTROS_SUJETO_ASISTENCIA}", r"sale en un programa de televisión"),
        ("lunar {en forma de tabaco|OTROS_SUJETO_ASISTENCIA}", r"lunar en forma de [\w ]+"),
        ('tatuaje: {lema "chifro, logo existo|OTROS_SUJETO_ASISTENCIA}"', r'tatuaje: [^"]+ y la palabra "paz"'),
        ("folio {doscientos doce barra tres|OTROS_SUJETO_ASISTENCIA}", r"folio \w+ \w+ barra \w+"),
        ("trabaja en {talleres lizarralde|OTROS_SUJETO_ASISTENCIA}", r"trabaja en talleres [a-zñáéíóú]+"),
        ("su {n1eto|FAM}, la {güela|FAM}", r"su n1eto, la güela"),
        ("monitor {IntelliVue-60962|IDENTIF_DISPOSITIVOS_NRSERIE}", r"monitor IntelliVue-\d{5}"),
        ("{44O18-B|IDENTIF_DISPOSITIVOS_NRSERIE}", r"\d{5}-[A-Z]"),
        ("usr {MBARBERO7|ID_EMPLEO_PERSONAL_SANITARIO}", r"usr U\d{5}"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("key", KEYS[:3])
def test_the_kind_of_the_original_stays(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new), new


@pytest.mark.parametrize("key", KEYS[:3])
def test_days_by_their_numbers_move_with_a_day_without_a_year(key: Key) -> None:
    first, second, third = became("desde el {9 de marzo|D}; operada el {10|D} y el {17|D}", key)
    assert int(third) != int(second)
    assert second == str(int(first.split()[0]) + 1) or second == "1"
    assert "[" not in text_of("ingreso del {4|D} al {18|D}; los días {6|D}, {7|D} y {8|D}", key)


@pytest.mark.parametrize("key", KEYS[:3])
def test_dates_as_in_the_united_states(key: Key) -> None:
    birth, visit, other = became("DOB {09/16/1957|D}, visita {02/19/2024|D}, control {03/25|D}", key)
    assert all(1 <= int(value[:2]) <= 12 for value in (birth, visit, other))
    assert became("{Thu 03/21|D}", key)[0].startswith("Thu ")


@pytest.mark.parametrize("note", ["{ju1io|D}", "{lun3s|D}", "{ll/O9/2O25|D}", "{2023-O9-l2|D}", "el {invierno|D}"])
@pytest.mark.parametrize("key", KEYS[:3])
def test_dates_that_a_scan_or_an_article_spoils_are_no_labels(note: str, key: Key) -> None:
    assert "[" not in text_of(note, key)


@pytest.mark.parametrize("key", KEYS)
def test_a_title_in_a_table_and_a_profession_tell_the_sex(key: Key) -> None:
    name = became("INVESTIGADOR|Dr. {Anand Verghese|S}|", key)[0]
    assert sex_by_name([key_of(name.split()[0])]) != "f"
    name = became("{Uxue Etxarte|S}, farmacéutica. {Yuki Tanabe|S}, enfermero", key)[1]
    assert sex_by_name([key_of(name.split()[0])]) != "f"


@pytest.mark.parametrize("key", KEYS)
def test_the_postcode_of_a_capital_though_a_quarter_stands_first(key: Key) -> None:
    _, _, town, code = became("Bda. {Benítez|T}, {bloque 2, 3.º C|C} Municipio: {Ceuta|T} C.P.: {51003|T}", key)
    assert key_of(town) in tables.capital_codes()
    assert code[2] == "0"


def test_where_somebody_comes_from_is_not_where_the_address_lies() -> None:
    town = became("{Pza. Mayor 2|C}, {Jaca|T}, {Huesca|T}\nNatural: {Francia|PAIS}")[1]
    assert key_of(town) in tables.town_codes()


def test_an_illness_that_is_called_as_the_patient_stays() -> None:
    assert "edema de Quincke" in text_of("{Ana Quincke Soto|P}: edema de Quincke con enalapril")


@pytest.mark.parametrize("key", KEYS)
def test_a_name_that_is_cut_short_is_another_form_of_the_new_name(key: Key) -> None:
    name, cut = became('{Natanael Mamani|P}, "{Nata|P}" lo llaman', key)
    assert cut != name.split()[0] or len(cut) == 3
    assert key_of(name).startswith(key_of(cut)[:2])


@pytest.mark.parametrize("key", KEYS)
def test_a_hospital_that_is_called_by_a_part_of_its_name_is_the_same(key: Key) -> None:
    full, part = became("{GUZMAN BARRON|H} y luego en el {Barrón|H}", key)
    assert key_of(full) == key_of(part)
    assert not part.isupper()


@pytest.mark.parametrize("key", KEYS)
def test_the_person_beside_a_profession_tells_the_sex(key: Key) -> None:
    job = became("{Ana Soto Gil|P}, pareja {Albert Gil|FAM}, {mestre d'aixa|PROFESION}", key)[2]
    assert job == "trabajador de la madera"


def test_surnames_that_are_first_names_as_well() -> None:
    surnames, given = became("{Santillana Hilario|P}, {Luis Ramon|P}. {Santillana Hilario|P}")[:2]
    assert len(surnames.split()) == len(given.split()) == 2


def test_a_town_of_a_saint_does_not_tell_the_country() -> None:
    town = became("Vereda {Santa Inés|T}, municipio {Chitaraque|T}, EPS")[1]
    assert key_of(town) not in tables.capital_codes()
