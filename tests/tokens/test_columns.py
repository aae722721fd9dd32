"""Columns of tables in text."""

from __future__ import annotations

import pytest

from nadie.tokens.arrays import token_arrays
from nadie.tokens.columns import table_columns


def cells(text: str) -> dict[int, list[str]]:
    """The texts of the cells of each column."""
    reading = token_arrays([text])
    columns, firsts = table_columns([text], reading)
    found: dict[int, list[str]] = {}
    for first in sorted(set(firsts[columns > 0].tolist())):
        own = [i for i in range(len(reading)) if firsts[i] == first and columns[i] == columns[first]]
        found.setdefault(int(columns[first]), []).append(text[reading.starts[own[0]] : reading.ends[own[-1]]])
    return found


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Paciente de 70 años. Tos.\nFiebre desde ayer.", {}),
        ("Fecha: 3/5    Hora: 9", {}),  # one line is no table
        ("cama  nombre  edad\n1  Ana Soto  70\n2  Luis Gil  81", {
            1: ["cama", "1", "2"], 2: ["nombre", "Ana Soto", "Luis Gil"], 3: ["edad", "70", "81"],
        }),
        ("|cama|edad|\n|1|70|\n|2||", {2: ["cama", "1", "2"], 3: ["edad", "70"]}),
        ("a;b;c;d\n1;2;3;4", {1: ["a", "1"], 2: ["b", "2"], 3: ["c", "3"], 4: ["d", "4"]}),
        # Columns by their place where cells are missing.
        ("NOMBRE          EDAD   MEDICO\nAna Soto        70     Vela\nLuis Gil               Mora\n", {
            1: ["NOMBRE", "Ana Soto", "Luis Gil"], 2: ["EDAD", "70"], 3: ["MEDICO", "Vela", "Mora"],
        }),
        # Prose between two tables separates them.
        ("a  b\n1  2\ntexto\nc  d\n3  4", {1: ["a", "1"], 2: ["b", "2"], 3: ["c", "3"], 4: ["d", "4"]}),
    ],
)  # fmt: skip
def test_columns(text: str, wanted: dict[int, list[str]]) -> None:
    assert cells(text) == wanted


def test_each_text_of_a_batch_by_itself() -> None:
    texts = ["a  b\n1  2", "sin tabla", "c  d\n3  4"]
    together = table_columns(texts, token_arrays(texts))[0].tolist()
    assert together == [c for text in texts for c in table_columns([text], token_arrays([text]))[0].tolist()]
