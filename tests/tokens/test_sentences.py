"""Sentences end where they end, not at every full stop."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nadie.tokens.sentences import split_lines, split_sentences
from nadie.tokens.tokenizer import tokenize


def sentences(text: str) -> list[str]:
    tokens = tokenize(text)
    return [text[tokens[first].start : tokens[stop - 1].end] for first, stop in split_sentences(text, tokens)]


@pytest.mark.parametrize(
    "whole",
    [
        "Remitida por el Dr. Salvador Ruiz",
        "la Dra. Ana Ortiz",
        "el Sr. Pérez y la Sra. López",
        "Vive en Av. Libertad 4",
        "c/ Mayor, nº. 3",
        "Avda. de España, s/n. piso 2",
        "M. Jesús Calvo",
        "M.ª Carmen Soto",
        "Nº. 23",
        "tel. 912 345 678",
        "Presión de 12.5 mmHg",
        "a las 10.30 horas",
        "Fco. Javier Gil",
        "en sept. de 2014",
        "J.R. Palau",
        "Domicilio: C. Mayor",
    ],
)
def test_no_break_inside(whole: str) -> None:
    assert sentences(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Sin fiebre. Se da de alta.", ["Sin fiebre.", "Se da de alta."]),
        ("¿Dolor? No.", ["¿Dolor?", "No."]),
        ("Mejora! Alta", ["Mejora!", "Alta"]),
        ("Nombre: Ana\nApellidos: Gil", ["Nombre: Ana", "Apellidos: Gil"]),
        ("Nombre: Ana\r\nApellidos: Gil", ["Nombre: Ana", "Apellidos: Gil"]),
        ("(Sin cambios.) Sigue igual", ["(Sin cambios.)", "Sigue igual"]),
        ("Grado 2.\n\n\nAlta", ["Grado 2.", "Alta"]),
        ("PSA de 4. 12 biopsias", ["PSA de 4.", "12 biopsias"]),
        ("", []),
    ],
)
def test_breaks(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(alphabet='aA1. \n:?!)"ºDr'))
def test_sentences_and_lines_hold_every_token_once(text: str) -> None:
    tokens = tokenize(text)
    for split in (split_sentences, split_lines):
        ranges = split(text, tokens)
        assert [i for first, stop in ranges for i in range(first, stop)] == list(range(len(tokens)))
        assert all(first < stop for first, stop in ranges)
