"""Replacements that a reader stumbled over, by kind: what is not known to be natural becomes its label."""

from __future__ import annotations

import re

import pytest

from nadie.anonymize.secret import Key
from nadie.persons.sex import sex_by_name
from nadie.spanish import tables
from nadie.spanish.folding import key_of
from nadie.spanish.population import bearers, surname_bearers

from .test_natural_replacements import KEYS, became, text_of

LABEL = r"\[[A-Z_]+\]"


@pytest.mark.parametrize(
    ("note", "pattern"),
    [
        # institutions, employers and makers that show no kind
        ("tubo de {Pfizer|INSTITUCION}", rf"tubo de {LABEL}"),
        ("perimetría ({Allergan Humphrey|INSTITUCION}, USA)", rf"perimetría \({LABEL}, USA\)"),
        ("trabaja en {PedidosYa|OTROS_SUJETO_ASISTENCIA}", rf"trabaja en {LABEL}"),
        ("en la {Ajuntament de Beniarrés|INSTITUCION}", r"en la (?!Asociación|Fundación).+"),
        ("el {Servicio Castellano-Leonés de Salud|INSTITUCION}", r"el \[INSTITUCION\]"),
        ("la {EMBAJADA DE ESPAÑA|INSTITUCION}", r"la EMBAJADA DE ESPAÑA"),
        ("la {Policía Caminera|INSTITUCION}", r"la Policía Caminera"),
        ("córneas al {Banco de Ojos|INSTITUCION}", r"córneas al Banco de (?!.*\b(?:San|Santa)\b).+"),
        ("la {ESCUELA N.º 62|INSTITUCION}", r"la ESCUELA N\.º \d\d"),
        ("{OSDE|INSTITUCION}, DNI, Rosario", r"(?!OSDE)[\w ]+, DNI, Rosario"),
        ("{Isapre Colmena|INSTITUCION}", r"Isapre (?!Colmena)[\w ]+"),
        ("en el {C/S Perla María|CENTRO_SALUD}, MINSA", r"en el C/S [\w ]+, MINSA"),
        ("{LAB. CLÍNICO SANTA BÁRBARA|CENTRO_SALUD}", r"LAB\. CLÍNICO [A-ZÁÉÍÓÚÑ ]+"),
        ("lo llevaron a la {Menonita|HOSPITAL}", r"lo llevaron a la Clínica .+"),
        ("la {GERENCIA DE SERVICIOS SOCIALES|INSTITUCION}", rf"la {LABEL}"),
        ("de {SALUD PÚBLICA|INSTITUCION}", rf"de {LABEL}"),
        ("la {Notaría 2ª de Bello|INSTITUCION}", rf"la {LABEL}"),
        ("parte de {MC Mutual|INSTITUCION}", rf"parte de {LABEL}"),
        ("el {Colegio San Patricio|INSTITUCION}", r"el Colegio (?!San Patricio)[\w ]+"),
        # free text that no phrase fits
        ("en el {hotel las caletillas|OTROS_SUJETO_ASISTENCIA}", rf"en el {LABEL}"),
        ("con {ancla tatuada en el cuello|OTROS_SUJETO_ASISTENCIA}", rf"con {LABEL}"),
        # relatives in other languages, and broken words
        ("vén co {mozo|FAM} e a {sogra|FAM}", r"vén co mozo e a sogra"),
        ("el {gendre|FAM} i les {filles|FAM}", r"el gendre i les filles"),
        ("my {brother in law|FAM} called", r"my brother in law called"),
        ("la {he rmana|FAM} en estudio. Dra. X", rf"la {LABEL} en estudio\. Dra\. X"),
        ("mamá: Eva, {2Oa|FAM}", r"mamá: Eva, (?:2O|\d\d)a"),
        # traits that a scan broke stay whole
        ("{cas ado|ID_SUJETO_ASISTENCIA}, 3 hijos", r"cas ado, 3 hijos"),
        ("{viu da|ID_SUJETO_ASISTENCIA}", r"viu da"),
        # another language: no Spanish word among its words
        ("és {arrossaire|PROFESION} i treballava amb els seus", rf"és {LABEL} i treballava amb els seus"),
        ("comes {Mon|D}–{Thurs|D} with her", r"comes Mon–Thurs with her"),
        ("ondo dago {Larunbatetik|D} eta ez du jan", r"ondo dago Larunbatetik eta ez du jan"),
        ("onset {Good Friday|D} while fixing", r"onset the holidays while fixing"),
        # professions: what somebody was exposed to, in the sex of the one who has it
        ("{peón de colada|PROFESION}, plomo 22", r"trabajador del metal, plomo 22"),
        ("{celador|PROFESION} del almacén", r"trabajador de servicios del almacén"),
        ("bisabuela {tabaquera|PROFESION}", r"bisabuela trabajadora del tabaco"),
        ("Madre {Rosa|FAM}, su hermano {guardia|PROFESION}", r"Madre \w+, su hermano trabajador de seguridad"),
        # words of clergy and of scans
        ("visita del {pastor valdense|PROFESION}", r"visita del religioso"),
        ("{motocarr1sta|PROFESION}", r"conductor"),
        # places that are no town of Spain
        ("viaje turístico a la {Rivera Maya|T} ({Caribe mexicano|T})", rf"viaje turístico a la {LABEL} \({LABEL}\)"),
        ("Fiscalía de {Florida|T}, {Durazno|T}, ASSE", r"Fiscalía de (?!Utah|Texas|Kansas).+"),
        # addresses
        ("{CM-4000 P.K. 52,4|C}", rf"CM-\d+ P\.K\. \d\d,\d|{LABEL}"),
        ("{Carr. fed. 180, km 88.5, entronque La Tinaja|C}", rf"Carr\. fed\. .+|{LABEL}"),
        ("lives with her at {Lot 31, Willow Creek Mobile Home Park|C} and the", rf"lives with her at {LABEL} and the"),
        ("vive en {sector Las Gredas, pasado el puente|C}", r"vive en sector (?!Larga|Ancha|Alta|Baja|Nueva|Real).+"),
        ("{Fresno|T}, {CA|T}, CURP", r"(?!Irapuato)[\w. ]+, [A-Z]{2}, CURP"),
        ("{Apartado de Correos 20134|C}", r"Apartado de Correos \d{5}"),
        ("{N-III km 22, portal 2|C}", LABEL),
        # words of sex and scores, whoever bears the name
        ("Historia: {Mujer|ID_TITULACION_PERSONAL_SANITARIO} de 80", r"Historia: Mujer de 80"),
        ("{Pamela Murray Soto|P}; el puntaje de Murray está en 3,25", r"[\w ]+; el puntaje de Murray está en 3,25"),
        # dates
        ("fin {14-JUL|D}, {09-ABR|D}", r"fin \d\d-[A-Z]{3}, \d\d-[A-Z]{3}"),
        ("los {lun|D}, {mar|D} y {mié|D}", r"los lun, mar y mié"),
        ("en {jul i0|D} x VSR", rf"en {LABEL} x VSR"),
        ("Cierra. {Navidad|D} sin consulta", r"Cierra\. En \w+ sin consulta"),
        ("asma en {la navidad del 15|D}", r"asma en la (?:primera|segunda) quincena de \w+ de 20\d\d"),
        ("la festa de {Sant Vicent|D} la passa amb els seus", rf"la festa de {LABEL} la passa amb els seus"),
        # numbers: samples keep what they are, and figures that a scan took for letters become figures
        ("muestra {BAL 0239|ID_CONTACTO_ASISTENCIAL}", r"muestra BAL (?!0239)\d{4}"),
        ("CI {l.847.O80-l|ID_SUJETO_ASISTENCIA}", r"CI \d\.\d{3}\.\d{3}-\d"),
        ("SIP {l 9l2 549|ID_SUJETO_ASISTENCIA}", r"SIP \d \d{3} \d{3}"),
        ("cel {7OO S942 O|TEL}", r"cel (?!7OO)\d{3} \d{4} \d"),
        ("IBAN {CR08 8590 1834 4888 2195 10|OTRO_NUMERO_IDENTIF}", r"IBAN CR\d\d( \d{4}){4} \d\d"),
        ("Medicaid, cell {860-555-0142|TEL}", r"Medicaid, cell \d{3}-555-01\d\d"),
        ("edad {3 3|E} años", r"edad 3\d años"),
    ],
)
@pytest.mark.parametrize("key", KEYS[:3])
def test_what_has_no_natural_replacement(note: str, pattern: str, key: Key) -> None:
    new = text_of(note, key)
    assert re.fullmatch(pattern, new), new


@pytest.mark.parametrize("key", KEYS[:4])
def test_the_row_of_a_table_tells_the_sex_and_its_heading_the_kind_of_name(key: Key) -> None:
    note = (
        "| N° | Apellido | Nombre | Ed | Sx |\n"
        "| 1 | {Mar|P} | {Keyling|P} | {30|E} | {F|X} |\n"
        "| 2 | {Oro|P} | {Erling|P} | {40|E} | {M|X} |\n"
    )
    surname, given, _, _, other, second, *_ = became(note, key)
    assert all(4 * surname_bearers(key_of(name)) >= bearers(key_of(name)) for name in (surname, other))
    assert sex_by_name([key_of(given)]) in ("f", "")
    assert sex_by_name([key_of(second)]) in ("m", "")


@pytest.mark.parametrize(
    ("note", "count"),
    [("Lic. {Ta curi|S}", 1), ("{Wi lber Soto|P}", 2), ("{GL ADYS|P}", 1), ("{Bern al|S}", 1), ("{Sa gra rio|P}", 1)],
)
def test_a_broken_name_becomes_a_whole_one(note: str, count: int) -> None:
    new = became(note)[0]
    assert len(new.split()) == count
    assert all(word[0].isupper() for word in new.split())


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("name", ["Vinuesa", "Llumiquinga", "Pañero", "Olano", "Corea", "Painemal", "Bello", "Reyna"])
def test_a_rare_surname_is_not_replaced_by_that_of_an_immigrant(name: str, key: Key) -> None:
    new = key_of(became(f"{{Ana {name}|P}}", key)[0]).split()[-1]
    assert not re.search(r"w|oo|ou|dd|aa|sh|gh|escu$|ova$|ski$|ov$", new), new
    assert len(new) > 2


@pytest.mark.parametrize("key", KEYS[:4])
def test_an_account_of_nobody_contradicts_no_name(key: Key) -> None:
    _, mail, login = became(
        "Dr. {Félix Gómez|S}, {cardiometa@yahoo.es|MAIL}, usuario {labsb02|ID_EMPLEO_PERSONAL_SANITARIO}", key
    )
    assert re.fullmatch(r"u\d{5}@\S+", mail)
    assert re.fullmatch(r"u\d{5}", login)
    shared = became("{internado3@hregsan.example.py|MAIL}", key)[0]
    assert shared.startswith("internado")
    own = became("Dr. {Lluís Valerio|S} {lvalerio.bnm.ics@gencat.net|MAIL}", key)
    first, second = key_of(own[0]).split()
    assert own[1].startswith(f"{first[0]}{second}.")


@pytest.mark.parametrize("key", KEYS[:4])
def test_dates_of_columns_are_no_list_and_keep_their_zeros(key: Key) -> None:
    note = "F.NAC {14-02-12|D}    {10-10|D}     {11-04|D}     {02-05|D}"
    assert all(re.fullmatch(r"\d\d-\d\d(-\d\d)?", new) for new in became(note, key))
    assert [len(new) for new in became(note, key)] == [8, 5, 5, 5]


@pytest.mark.parametrize("key", KEYS[:4])
def test_a_day_with_letters_for_figures_keeps_its_interval(key: Key) -> None:
    born, left = became("RN {21/12/23|D}. Egreso {lO  de  enero|D}, 20 días de vida", key)
    day = int(left.split()[0])
    assert left.split()[0].isdigit()
    assert born != "21/12/23"
    assert 1 <= day <= 31


@pytest.mark.parametrize("key", KEYS[:4])
def test_a_note_in_catalan_stays_where_catalan_is_spoken(key: Key) -> None:
    town = became("Viu amb els seus fills a {Vic|T}, i va sense ajuda fins als dilluns", key)[0]
    assert tables.town_codes()[key_of(town)] in {"03", "07", "08", "12", "17", "25", "43", "46"}
