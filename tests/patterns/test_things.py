"""Accounts, cards, vehicles, devices, files and memberships."""

from __future__ import annotations

import pytest

from .tables import ALL, found, label_at, span_at

POSITIVES = [
    ("IBAN ⟦ES91 2100 0418 4502 0005 1332⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("cuenta ⟦ES9121000418450200051332⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("ccc ⟦2100-0418-45-0200051332⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("tarjeta ⟦4111 1111 1111 1111⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("Matrícula: ⟦5478GDV⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("un turismo, ⟦4567 JKL⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("matrícula ⟦M-1234-AB⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("placas ⟦ABC-12-34⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("patente ⟦HJKL-45⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("dominio ⟦AB 123 CD⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("Nº bastidor: ⟦VF1RFD00653635032⟧", "IDENTIF_VEHICULOS_NRSERIE_PLACAS"),
    ("marcapasos, nº de serie ⟦PJN123456S⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("S/N: ⟦BI-55321⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("IMEI ⟦490154203237518⟧", "IDENTIF_DISPOSITIVOS_NRSERIE"),
    ("expediente judicial ⟦345/2019⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("NºSocio: ⟦5547889955⟧", "OTRO_NUMERO_IDENTIF"),
    ("carné de biblioteca ⟦45678⟧", "OTRO_NUMERO_IDENTIF"),
    ("referencia catastral ⟦9872023VH5797S0001WX⟧", "OTROS_SUJETO_ASISTENCIA"),
    ("Ana Ruiz | ⟦858675-6⟧ | 40 años", "ID_SUJETO_ASISTENCIA"),
]


@pytest.mark.parametrize(("marked", "label"), POSITIVES)
def test_things_are_found(marked: str, label: str) -> None:
    assert label_at(marked) == label


@pytest.mark.parametrize(
    ("good", "bad"),
    [
        ("⟦4111 1111 1111 1111⟧", "⟦4111 1111 1111 1112⟧"),
        ("⟦DE89370400440532013000⟧", "⟦DE89370400440532013001⟧"),
        ("⟦2100-0418-45-0200051332⟧", "⟦2100-0418-46-0200051332⟧"),
        ("⟦1M8GDM9AXKP042788⟧", "⟦1M8GDM9A1KP042788⟧"),
    ],
)
def test_checksums_count(good: str, bad: str) -> None:
    sure, doubtful = span_at(good, ALL), span_at(bad, ALL)
    assert sure is not None
    assert doubtful is None or doubtful.score < sure.score


@pytest.mark.parametrize(
    "text",
    [
        "plaquetas 245000",
        "leucocitos 12500, plaquetas 345000/mm3",
        "carga viral 1250000 copias/ml",
        "placa de tórax 2 proyecciones",
        "moto a 60 km/h",
        "serie blanca normal, serie roja 4,5",
        "TA 120/80 | FC 80",
        "dosis de 1000 UI",
        "vivió allí 1998-2003",
    ],
)
def test_quantities_are_no_things(text: str) -> None:
    labels = {label for _, label in found(text)}
    assert not [label for label in labels if label.startswith(("ID", "OTRO"))]


def test_a_number_that_nothing_announces_is_worth_little() -> None:
    span = span_at("visto ⟦4587213⟧ ayer", ALL)
    assert span is not None
    assert span.score <= 0.5
