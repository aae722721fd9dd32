"""Dates in every written form, and ages."""

from __future__ import annotations

import pytest

from .tables import found, label_at, span_at

DATES = [
    "ingresó el ⟦20/09/2016⟧",
    "⟦20-09-16⟧",
    "⟦20/9/16⟧",
    "⟦2016-09-20⟧T14:41",
    "⟦20.09.2016⟧",
    "⟦12/03 /1946⟧",
    "nacida ⟦23-octubre-1972⟧",
    "⟦22 Septiembre de 2018⟧",
    "⟦22 de septiembre⟧",
    "⟦jueves 2 de Agosto⟧ a las 14:41",
    "⟦3 de mayo del 98⟧",
    "⟦mayo 3 de 2015⟧",
    "⟦03-ABR-2022⟧",
    "⟦15ENE2020⟧",
    "⟦15/ene/2020⟧",
    "⟦marzo de 2004⟧",
    "en ⟦marzo⟧",
    "⟦Junio 04⟧",
    "⟦dic-18⟧",
    "⟦12-XI-2015⟧",
    "⟦3/IV/98⟧",
    "desde ⟦03/2016⟧",
    "el ⟦12/05⟧ acude",
    "dia ⟦3/5⟧",
    "⟦dieciséis de julio de dos mil doce⟧",
    "⟦Otoño del 2017⟧",
    "⟦verano del 98⟧",
    "los ⟦90s⟧ tuvo",
    "en los ⟦años 90⟧",
    "la década de los ⟦ochenta⟧",
    "diagnosticada en ⟦2014⟧",
    "a principios del ⟦año 2004⟧",
    "desde ⟦1980⟧ a 1983",
    "en ⟦nochevieja⟧ ingresó",
    "el ⟦día de la madre⟧",
    "el ⟦jueves⟧ se le vio",
    "Fecha de nacimiento: ⟦10710/2015⟧",
    "F. NAC.: ⟦01021950⟧",
]


@pytest.mark.parametrize("marked", DATES)
def test_dates(marked: str) -> None:
    assert label_at(marked) == "FECHAS"


@pytest.mark.parametrize(
    "text",
    [
        "fuerza 3/5 en MSD, 5/5 en el resto",
        "Glasgow 15/15",
        "TA 12/8",
        "grado I/IV",
        "títulos 1/320",
        "AV 4/10 en ambos ojos",
        "a las 14:41 h",
        "3-4 veces al día",
        "2000 ml en 24 h",
        "1980 calorías",
        "L4-L5",
        "99/99/2016",
        "31/31/2016",
        "de 10 a 12 mg",
        "T2N1M0",
        "saturación 94-96 %",
        "versión 1.2.15.4",
        "dosis 1/2 comprimido",
    ],
)
def test_fractions_scores_and_quantities_are_no_dates(text: str) -> None:
    assert not [pair for pair in found(text) if pair[1] == "FECHAS"]


def test_both_ends_of_a_stretch_are_dates_of_their_own() -> None:
    assert found("desde 1980 a 1983") == [("1980", "FECHAS"), ("1983", "FECHAS")]
    assert found("del 12 al 15 de mayo") == [("12", "FECHAS"), ("15 de mayo", "FECHAS")]


AGES = [
    "Edad: ⟦68⟧",
    "Edad: ⟦70 años⟧ Sexo: H",
    "Paciente de ⟦76 años⟧",
    "Enfermo varón de ⟦40 años⟧",
    "Recién nacido de ⟦tres días⟧ de vida",
    "Edad: ⟦3 días⟧ de nacido",
    "mujer de ⟦sesenta y tres años⟧ con fiebre",
    "niño de ⟦3 años y 4 meses⟧",
    "lactante de ⟦8 meses⟧",
    "varón ⟦68a⟧, HTA",
    "Pte. ⟦70 a⟧",
    "niña de ⟦4a 3m⟧",
    "Ana Ruiz, ⟦45 años⟧, acude",
    "diagnosticado a los ⟦15 años⟧,",
    "⟦octogenaria⟧ con fiebre",
]


@pytest.mark.parametrize("marked", AGES)
def test_ages(marked: str) -> None:
    assert label_at(marked) == "EDAD_SUJETO_ASISTENCIA"


def test_the_age_of_a_relative_is_the_relatives() -> None:
    span = span_at("tiene una hija de ⟦14 años⟧")
    assert span is not None
    assert span.label == "FAMILIARES_SUJETO_ASISTENCIA"


@pytest.mark.parametrize(
    "text",
    [
        "hipertenso desde hace 10 años",
        "dolor de 3 meses de evolución",
        "tratado durante 2 años",
        "28 semanas de gestación",
        "a los 3 meses de la intervención",
        "seguimiento de 5 años",
        "control en 6 meses",
        "cada 12 horas",
        "fiebre de dos días de evolución",
    ],
)
def test_times_are_no_ages(text: str) -> None:
    assert not [pair for pair in found(text) if pair[1] == "EDAD_SUJETO_ASISTENCIA"]
