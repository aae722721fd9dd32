"""Surrogates for typical values of all 29 labels."""

from __future__ import annotations

import pytest

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.labels import LABELS

from .marked import KEY, anonymized, marked

VALUES = {
    "NOMBRE_SUJETO_ASISTENCIA": ["Ana Pérez Soto", "PEREZ SOTO^ANA", "Yeimy"],
    "NOMBRE_PERSONAL_SANITARIO": ["Dr. Luis Gil", "Tettamanti"],
    "FAMILIARES_SUJETO_ASISTENCIA": ["hermana Yuliana", "Faustino Güiza", "hijo de 27 años"],
    "EDAD_SUJETO_ASISTENCIA": ["45 años", "siete años"],
    "SEXO_SUJETO_ASISTENCIA": ["mujer"],
    "OTROS_SUJETO_ASISTENCIA": ["Tabacos Alagón", "@anaperez", "215-4418820-0-33"],
    "PROFESION": ["carpintero", "vende comida"],
    "FECHAS": ["12/03/2019"],
    "TERRITORIO": ["Getafe", "28901", "Londres"],
    "PAIS": ["España"],
    "CALLE": ["C/ Mayor, 15, 3º B"],
    "HOSPITAL": ["Hospital La Paz", "la Arrixaca", "HUCA"],
    "CENTRO_SALUD": ["Centro de Salud Los Olivos"],
    "INSTITUCION": ["Universidad de Burgos", "Sanitas", "Toneles Viana"],
    "NUMERO_TELEFONO": ["612 345 678", "4417", "+56 9 8123 4567", "seis uno dos tres cuatro"],
    "NUMERO_FAX": ["914 123 456"],
    "CORREO_ELECTRONICO": ["ana@hospital.es", "farmacia@hospital.es"],
    "URL_WEB": ["www.clinica.es", "https://instagram.com/anaperez"],
    "DIREC_PROT_INTERNET": ["83.56.12.9", "2a02:9130::1", "3c:52:82:aa:01:fe", "https://visor.es/v/1"],
    "ID_SUJETO_ASISTENCIA": ["51234877X", "NHC-4471920"],
    "ID_ASEGURAMIENTO": ["28 34870615 74"],
    "ID_CONTACTO_ASISTENCIAL": ["PAR-24-006117"],
    "ID_TITULACION_PERSONAL_SANITARIO": ["28 28 70973"],
    "ID_EMPLEO_PERSONAL_SANITARIO": ["ehurtado", "ENF-6820"],
    "NUMERO_BENEF_PLAN_SALUD": ["H55091"],
    "IDENTIF_VEHICULOS_NRSERIE_PLACAS": ["1234 BCD", "47-QX-82", "BL-772MD", "B7K-914"],
    "IDENTIF_DISPOSITIVOS_NRSERIE": ["RNB408217H", "490154203237518"],
    "IDENTIF_BIOMETRICOS": ["RYR1-NAV-0932"],
    "OTRO_NUMERO_IDENTIF": ["ES91 2100 0418 4502 0005 1332", "4539 1488 0343 6467", "D-884120"],
}


def test_all_labels_are_here() -> None:
    assert set(VALUES) == set(LABELS)


@pytest.mark.parametrize(("label", "value"), [(label, value) for label, values in VALUES.items() for value in values])
def test_a_typical_value_has_a_surrogate(label: str, value: str) -> None:
    done = anonymized(Engine(read_policy("research"), KEY), marked(f"Consta: {{{value}|{label}}} en el informe."))
    (item,) = done.replaced
    assert not item.refused
    assert item.kept or done.text[item.start : item.end] != value


def test_an_account_is_told_of_a_patient() -> None:
    note = marked("{instagram @lucia.fdez|OTROS_SUJETO_ASISTENCIA}")
    text = anonymized(Engine(read_policy("research"), KEY), note).text
    assert text.startswith("instagram @")
    assert text != note.text


def test_words_that_say_what_a_number_is_stay() -> None:
    text = anonymized(Engine(read_policy("research"), KEY), marked("{huella 44-AB|IDENTIF_BIOMETRICOS}")).text
    assert text.startswith("huella ")
    assert "44" not in text
