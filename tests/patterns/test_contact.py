"""Telephone, fax, mail, web, network addresses."""

from __future__ import annotations

import pytest

from .tables import ALL, found, label_at, span_at

PHONE, FAX = "NUMERO_TELEFONO", "NUMERO_FAX"
POSITIVES = [
    ("Tel: ⟦912345678⟧", PHONE),
    ("Tfno. ⟦91 123 45 67⟧", PHONE),
    ("móvil ⟦600-123-456⟧", PHONE),
    ("llame al ⟦600.123.456⟧", PHONE),
    ("se le llama al ⟦+34 600 123 456⟧", PHONE),
    ("Tel. ⟦91 123 45 67 ext. 234⟧", PHONE),
    ("vive con su hija, ⟦654 32 10 98⟧", PHONE),
    ("El móvil de su esposa es el ⟦633 349 565⟧", PHONE),
    ("busca ⟦4521⟧", PHONE),
    ("Cel. ⟦310 456 7890⟧", PHONE),
    ("⟦+57 310 456 7890⟧", PHONE),
    ("Fono: ⟦+56 9 8765 4321⟧", PHONE),
    ("⟦+56984100222⟧", PHONE),
    ("Tel ⟦011 4567-8901⟧", PHONE),
    ("⟦(55) 5123-4567⟧", PHONE),
    ("hermano (⟦09-6650468⟧)", PHONE),
    ("Tfno. ⟦902 751 723⟧ 9438pta@correo.es", PHONE),
    ("Fax: ⟦0998 455879⟧", FAX),
    ("Tel./Fax ⟦948 12 34 56⟧", FAX),
    ("E-mail: ⟦ana.ruiz@correo.es⟧.", "CORREO_ELECTRONICO"),
    ("⟦ANA_RUIZ82@HOSPITAL.ORG⟧", "CORREO_ELECTRONICO"),
    ("⟦ana (arroba) correo.es⟧", "CORREO_ELECTRONICO"),
    ("url: ⟦www.sample.com⟧", "URL_WEB"),
    ("véase ⟦www.misalud.es/citas?id=4⟧.", "URL_WEB"),
    ("⟦https://www.sample.com⟧", "DIREC_PROT_INTERNET"),
    ("⟦ftp://archivo.example.org/nota⟧", "DIREC_PROT_INTERNET"),
    ("ip: ⟦192.168.0.23⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("⟦2001:db8:85a3::8a2e:370:7334⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("mac: ⟦00:0a:95:9d:68:16⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("Instagram ⟦@maria_lopez82⟧", "OTROS_SUJETO_ASISTENCIA"),
]


@pytest.mark.parametrize(("marked", "label"), POSITIVES)
def test_ways_to_reach_somebody(marked: str, label: str) -> None:
    assert label_at(marked) == label


@pytest.mark.parametrize("text", ["Telf.: 918823884 / 619128686 y 600 123 456", "Tlf 917277336 - 606409021"])
def test_a_second_number_needs_no_label(text: str) -> None:
    phones = [value for value, label in found(text) if label == PHONE]
    assert len(phones) == text.count("/") + text.count(" y ") + text.count(" - ") + 1


def test_numbers_in_a_row() -> None:
    assert [value for value, _ in found("612 345 678 913 456 789 600 11 22 33")] == [
        "612 345 678",
        "913 456 789",
        "600 11 22 33",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "TA 120/80, FC 98, FR 18, SatO2 94%",
        "leucocitos 612.345.678",
        "glucosa 110-120-130 mg/dl",
        "ciclos de 21 14 7 días",
        "presión de 765 432 mmHg",
        "a las 14:41:23",
        "pH 7.35 pCO2 40 HCO3 24",
        "audiometría 500 1000 2000 4000",
        "L4-L5 y L5-S1",
        "versión 1.2.3.4 del protocolo",
        "vacunas a los 2-4-11 meses",
        "normal.Es remitido",
    ],
)
def test_figures_are_no_addresses(text: str) -> None:
    labels = {label for _, label in found(text)}
    assert not labels & {PHONE, FAX, "URL_WEB", "CORREO_ELECTRONICO", "IDENTIF_DISPOSITIVOS_NRSERIE"}


def test_nine_digits_alone_are_less_sure_than_in_groups() -> None:
    plain, grouped = span_at("⟦612345678⟧", ALL), span_at("⟦612 34 56 78⟧", ALL)
    assert plain is not None
    assert grouped is not None
    assert plain.score < grouped.score
