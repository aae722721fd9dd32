"""The notes that the demo shows first: the default model leaves nothing in them that identifies a person."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie.run.documents import load
from nadie.run.pipeline import Pipeline

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
IDENTIFIERS = {
    "alta.txt": (
        "SIERRA DE ALBARÍN|Leocadia|Urrestarazu|Montalbán|4471920|51234877|14/02/1951|72 años|Mujer|Fuente de la Teja|"
        "Alcázar de San Juan|13600|926 540 117|2023-118834|03/11/2023|09/11/2023|Itziar|Goñi|Lasheras|13/13/04418|"
        "mayo de 2019|Virgen de la Encina|hija|21/11/2023|Goyo|Arancibia|Prat|garancibia|saludsierra"
    ),
    "carta.txt": (
        "Querétaro|6 de junio|2022|Iturriaga|Maximiliano|Ocampo|Treviño|cuarenta y un|maestro|otoño de 2020|17 de mayo|"
        "Santa Hildegarda|20-55813|OATM810422HQTCRX05|442 318 0954|bpalacios|gastroqro|Benigna|Palacios|Luna|7741803|"
        "Constituyentes|Jardines|76150|México"
    ),
    "urgencias.txt": (
        "mujer|67a|marido|Amparo|Villodre|1998|Escolano|Benimaclet|Camarera|Oruro|Bolivia|España|2004|hija|Rocío|"
        "644 901 233|0098213|Saavedra|46/12077"
    ),
}
KEPT = {
    "alta.txt": "Parkinson|levodopa|furosemida|40 mg|96 %",
    "carta.txt": "Crohn|adalimumab|84 µg/g",
    "urgencias.txt": "Murphy|Glasgow 15/15|adiro 100|148/86",
}


@pytest.fixture(scope="module")
def pipeline() -> Pipeline:
    return load()


def test_every_example_is_checked() -> None:
    assert {path.name for path in EXAMPLES.glob("*.txt")} == set(IDENTIFIERS)


@pytest.mark.parametrize("name", IDENTIFIERS)
def test_nothing_that_identifies_a_person_is_left(pipeline: Pipeline, name: str) -> None:
    original = (EXAMPLES / name).read_text(encoding="utf-8")
    values = IDENTIFIERS[name].split("|")
    assert [value for value in values if value not in original] == []
    anonymized = pipeline.anonymize(original)
    assert [value for value in values if value in anonymized] == []
    assert [value for value in KEPT[name].split("|") if value not in anonymized] == []
