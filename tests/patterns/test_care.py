"""Numbers of health care: history, episode, insurance, licence, employee, biometric."""

from __future__ import annotations

import pytest

from .tables import ALL, found, label_at, span_at

POSITIVES = [
    ("NHC: ⟦4587213⟧", "ID_SUJETO_ASISTENCIA"),
    ("Nº historia ⟦987654⟧", "ID_SUJETO_ASISTENCIA"),
    ("Nº de Historia Clínica: ⟦98-7654⟧", "ID_SUJETO_ASISTENCIA"),
    ("HC ⟦123456⟧", "ID_SUJETO_ASISTENCIA"),
    ("H.C.: ⟦123456⟧", "ID_SUJETO_ASISTENCIA"),
    ("Hª ⟦123456⟧", "ID_SUJETO_ASISTENCIA"),
    ("**No. Expediente** - ⟦MR667766⟧", "ID_SUJETO_ASISTENCIA"),
    ("Ficha clínica; ⟦345678⟧", "ID_SUJETO_ASISTENCIA"),
    ("NHC\n⟦4587213⟧\n", "ID_SUJETO_ASISTENCIA"),
    ("NHC | ⟦4587213⟧ | Cama 3", "ID_SUJETO_ASISTENCIA"),
    ("nhc:⟦4587213⟧Edad: 70", "ID_SUJETO_ASISTENCIA"),
    ("CIPA: nhc-⟦150679⟧", "ID_SUJETO_ASISTENCIA"),
    ("Episodio: ⟦1520368541⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("Nº de petición: ⟦2034567⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("Folio ⟦45678⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("Informe nº ⟦2023/004567⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("DAU: ⟦8812034⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("N° de siniestro ⟦77-34120⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("autorización nro. ⟦5501239⟧", "ID_CONTACTO_ASISTENCIAL"),
    ("Aviso ⟦20931⟧ recibido", "ID_CONTACTO_ASISTENCIAL"),
    ("NASS: ⟦33 4568642 23⟧", "ID_ASEGURAMIENTO"),
    ("Nº SS ⟦28/12345678/40⟧", "ID_ASEGURAMIENTO"),
    ("NSS: ⟦12345678901⟧", "ID_ASEGURAMIENTO"),
    ("CIP ⟦BBBBBBBBAB123456⟧", "ID_ASEGURAMIENTO"),
    ("Tarjeta sanitaria ⟦GOPE1800101005⟧", "ID_ASEGURAMIENTO"),
    ("NUHSA ⟦AN0412345678⟧", "ID_ASEGURAMIENTO"),
    ("N° afiliado ⟦61-234567-8/01⟧", "ID_ASEGURAMIENTO"),
    ("PAMI ⟦150-12345678-00⟧", "ID_ASEGURAMIENTO"),
    ("Nº beneficiario: ⟦00123456-7⟧", "NUMERO_BENEF_PLAN_SALUD"),
    ("NºCol: ⟦08-08-25574⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("Nº colegiado ⟦282812345⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("M.N. ⟦98765⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("Cédula profesional: ⟦3456789⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("CMP ⟦45678⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("Registro médico ⟦76-12345⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("Tarjeta profesional ⟦110234⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("firma, ⟦28/28/12345⟧", "ID_TITULACION_PERSONAL_SANITARIO"),
    ("Nº empleado: ⟦u000999⟧", "ID_EMPLEO_PERSONAL_SANITARIO"),
    ("código de empleado ⟦E-4455⟧", "ID_EMPLEO_PERSONAL_SANITARIO"),
    ("huella dactilar ⟦FP537WXZ391⟧", "IDENTIF_BIOMETRICOS"),
    ("escaneo de iris con el código ⟦IR-22119⟧", "IDENTIF_BIOMETRICOS"),
]


@pytest.mark.parametrize(("marked", "label"), POSITIVES)
def test_numbers_are_found_after_their_cue(marked: str, label: str) -> None:
    assert label_at(marked) == label


@pytest.mark.parametrize(
    "text",
    [
        "historia de 10 años de evolución",
        "HC 45% y Hb 13",
        "ingreso en 2015",
        "episodio de 300 ml de hematemesis",
        "registro de 24 horas",
        "Colesterol total 210, col. LDL 120 mg/dl",
        "RM 1,5 T de columna",
        "MP 120 lpm",
        "expedientes revisados",
        "huella plantar cava grado 2",
        "muestra de 25 ml",
        "placa de 40 mm y tubo de 12 Fr",
        "se avisa a las 20:30",
        "protocolo FOLFOX 6",
        "orden de no reanimar",
        "estudio a 5 años con 1200 pacientes",
    ],
)
def test_what_only_looks_announced_is_left_alone(text: str) -> None:
    labels = {label for _, label in found(text)}
    assert not [label for label in labels if label.startswith(("ID_", "IDENTIF_", "NUMERO_BENEF"))]


def test_the_checksum_of_the_social_security_number() -> None:
    good, bad = span_at("⟦28 12345678 40⟧", ALL), span_at("⟦28 12345678 41⟧", ALL)
    assert good is not None
    assert bad is not None
    assert good.score > bad.score


def test_a_licence_of_two_provinces_is_less_sure_than_of_one() -> None:
    one, two = span_at("⟦28/28/12345⟧", ALL), span_at("⟦28/08/12345⟧", ALL)
    assert one is not None
    assert two is not None
    assert one.score > 0.5 > two.score
