"""Damage that the view undoes, and clean text that it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.files.annotated.reading import read_documents
from nadie.tokens.damage import repairs
from nadie.tokens.view import view_of

_NOTES = Path(__file__).parents[2] / "data" / "notes"


@pytest.mark.parametrize(
    ("damaged", "seen"),
    [
        ("HOSPlTAL VIRGEN DE LA C0NCHA", "HOSPITAL VIRGEN DE LA CONCHA"),
        ("lNF0RME de 0ntiver0s", "INFORME de Ontiveros"),
        ("F. nac. O3/ll/1938, NHC 3l7O38", "F. nac. 03/11/1938, NHC 317038"),
        ("el 2O24-1177 y 98O-2l", "el 2024-1177 y 980-21"),
        ("la Sra. Fermo-\nselle vuelve", "la Sra. Fermoselle vuelve"),
        ("P A C I E N T E: Ana", "PACIENTE: Ana"),
        ("N&uacute;&ntilde;ez Le&oacute;n", "Núñez León"),
        ("BelÃ©n NÃºÃ±ez", "Belén Núñez"),
        ("4 a¤os, Bel‚n", "4 años, Belén"),
    ],
)
def test_damage_is_undone(damaged: str, seen: str) -> None:
    assert view_of(damaged).text == seen


@pytest.mark.parametrize(
    "text",
    [
        "SatO2 97 %, O2 a 2 l/min, 10l en bolo, 3 l",
        "CIE-10 I21.0, O80, I10; T2N0M0, pT0N0, ypTisN0M0",
        "HbA1c 7,1; COVID19; CO2; IL1beta; B12; H1N1; PlGF 38; ECOG0",
        "grado II/IV, 3.o, 40o, tipo I-III, A B O, Rh D",
        "El paciente - \nfumador - acude",
        "AT&T; D&C y R&D",
    ],
)
def test_clean_text_is_left_alone(text: str) -> None:
    assert repairs(text) == []


@pytest.mark.parametrize(("split", "codes"), [("dev", []), ("train", ["O61-1917", "O2-44180"])])
def test_clean_notes_are_left_alone(split: str, codes: list[str]) -> None:
    """Apart from codes that begin with the letter O, as damaged numbers more often do (`HC O11-934`)."""
    notes = [note for note in read_documents(_NOTES / split) if note.meta["layout"] != "ocr"]
    clean = [note.text for note in notes if note.meta.get("kind") != "damaged"]
    assert len(clean) > 200
    assert [text[repair.start : repair.end] for text in clean for repair in repairs(text)] == codes
