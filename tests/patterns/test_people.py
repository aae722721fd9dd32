"""Persons by the words that announce them, in mixed case, in capitals and in small letters."""

from __future__ import annotations

import pytest

from .tables import found, label_at

PATIENT, STAFF, KIN = "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO", "FAMILIARES_SUJETO_ASISTENCIA"
POSITIVES = [
    ("Nombre: ⟦Rafael⟧", PATIENT),
    ("Apellidos: ⟦Calvo Martín⟧.", PATIENT),
    ("Apellidos: ⟦De la Cruz Lorenzo⟧", PATIENT),
    ("Nombre: Dña. ⟦M. Jesús⟧", PATIENT),
    ("Nombre: ⟦Fco. José⟧", PATIENT),
    ("Paciente: ⟦PÉREZ RUIZ⟧, ANA", PATIENT),
    ("NOMBRE - ⟦Xiana Rial⟧ NHC - 1", PATIENT),
    ("Sra. ⟦Gómez⟧, pase", PATIENT),
    ("D. ⟦Luis Wilson⟧ acude", PATIENT),
    ("la paciente ⟦Norton⟧ refiere", PATIENT),
    ("ingresa ⟦Lucía Arrieta Etxeberria⟧ por fiebre", PATIENT),
    ("paciente ⟦maría josé garcía lópez⟧, cama 3", PATIENT),
    ("⟦J. M. R.⟧, varón de 40 años", PATIENT),
    ("Dr. ⟦Pablo Garrido Abad⟧", STAFF),
    ("Dra. ⟦M. T. Olivares⟧ (Col. 1234)", STAFF),
    ("DR. ⟦SÁNCHEZ MOLINA⟧. FUMADOR", STAFF),
    ("por el dr. ⟦antonio ruiz martínez⟧.", STAFF),
    ("Médico: ⟦Josep Rubio Palau⟧ NºCol: 08-08-25574", STAFF),
    ("Remitido por: ⟦Ana Gil⟧", STAFF),
    ("Fdo.: ⟦J. Pérez⟧", STAFF),
    ("Enf. ⟦Marta Sanz⟧ turno de noche", STAFF),
    ("valorado por el cardiólogo ⟦Iván Soto⟧", STAFF),
    ("Médico tratante: Dr. ⟦Juan Cruz Pellegrini⟧ M.N. 98765", STAFF),
    ("su esposa ⟦M. Jesús Calvo⟧", KIN),
    ("con su hijo ⟦Javier⟧", KIN),
]


@pytest.mark.parametrize(("marked", "label"), POSITIVES)
def test_names(marked: str, label: str) -> None:
    assert label_at(marked) == label


def test_several_doctors() -> None:
    assert found("Dres. Gil y Ruiz") == [("Gil", STAFF), ("Ruiz", STAFF)]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Hospital Universitario Doctor Peset", "Peset"),
        ("Calle del Dr. Esquerdo, 46", "Esquerdo"),
        ("C/ Doctor Fleming 5", "Fleming"),
    ],
)
def test_a_doctor_who_is_a_street_is_no_doctor(text: str, name: str) -> None:
    assert not [pair for pair in found(text) if pair[0] == name]


@pytest.mark.parametrize(
    "text",
    [
        "tratamiento médico. Se decide alta",
        "paciente VIH positivo, EPOC y HTA",
        "paciente ASA II",
        "vitamina D. Se pauta",
        "enfermedad de Parkinson y signo de Babinski",
        "antecedentes familiares sin interés",
        "Ca de mama derecha",
        "su médico de familia",
        "el paciente refiere dolor",
        "PACIENTE CON FIEBRE Y DOLOR",
        "paciente con dolor y fiebre desde ayer",
    ],
)
def test_words_are_no_names(text: str) -> None:
    assert not [pair for pair in found(text) if pair[1] in (PATIENT, STAFF, KIN)]


SEXES = [
    "Sexo: ⟦H⟧.",
    "Sexo: ⟦Masculino⟧",
    "Enfermo ⟦varón⟧",
    "⟦Niña⟧ de 11 años",
    "Paciente ⟦masculino⟧ de 39 años",
    "73a ⟦M⟧ - triaje",
]


@pytest.mark.parametrize("marked", SEXES)
def test_sex(marked: str) -> None:
    assert label_at(marked) == "SEXO_SUJETO_ASISTENCIA"


def test_a_mans_wife_is_not_his_sex() -> None:
    assert not [pair for pair in found("vive con su mujer") if pair[1] == "SEXO_SUJETO_ASISTENCIA"]


@pytest.mark.parametrize(
    ("marked", "label"),
    [
        ("trabaja de ⟦albañil⟧", "PROFESION"),
        ("Ocupación: ⟦contadora⟧", "PROFESION"),
        ("trabaja como ⟦verdulera⟧", "PROFESION"),
        ("Mujer de 44 años, ⟦maestra parvularia⟧", "PROFESION"),
        ("Varón de 60 años, ⟦encofrador⟧, casado", "PROFESION"),
        ("Profesión: ⟦restaurador de muebles⟧.", "PROFESION"),
        ("paciente ⟦musulmán⟧ de 50 años", "ID_SUJETO_ASISTENCIA"),
        ("mujer de ⟦raza negra⟧", "ID_SUJETO_ASISTENCIA"),
        ("varón ⟦homosexual⟧ de 21 años", "ID_SUJETO_ASISTENCIA"),
    ],
)
def test_profession_and_group(marked: str, label: str) -> None:
    assert label_at(marked) == label
