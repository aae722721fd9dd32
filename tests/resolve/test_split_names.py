"""The rest of a name that white space or the end of a line splits."""

from __future__ import annotations

import pytest

from nadie import Document
from nadie.document import Span
from nadie.resolve.split_names import with_rest_of_names

STAFF = "NOMBRE_PERSONAL_SANITARIO"


def _extended(marked: str) -> str:
    before, name, after = marked.split("|")
    span = Span(len(before), len(before) + len(name), STAFF)
    document = with_rest_of_names(Document("", before + name + after, (span,)))
    return document.text_of(document.spans[0])


@pytest.mark.parametrize(
    ("marked", "name"),
    [
        ("Dra. |Arm| esto, de guardia", "Arm esto"),
        ("anest. |Zamu|  dio\nAlta", "Zamu  dio"),
        ("la Srta. |Delfina Uria|-\nrte, de 30 años", "Delfina Uria-\nrte"),
        ("Dr Por |tillo|. Sin cambios", "Por tillo"),
        ("Dra. |Gladis Du a| rte  Reg.", "Gladis Du a rte"),
    ],
)
def test_a_part_that_makes_a_known_name_is_added(marked: str, name: str) -> None:
    assert _extended(marked) == name


@pytest.mark.parametrize(
    "marked",
    [
        "Dra. |Arm|   esto",  # another column
        "Dra. |Ana Roca| refiere",
        "El Dr. |Mar| tiene guardia",
        "avisa |Luis| a planta",
        "Consta |Sol| era su hermana",
        "Don |Rey| es dado de alta",
    ],
)
def test_ordinary_words_beside_a_name_stay(marked: str) -> None:
    assert _extended(marked) == marked.split("|")[1]


def test_another_span_is_not_overlapped() -> None:
    spans = (Span(5, 8, STAFF), Span(9, 13, "PROFESION"))
    assert with_rest_of_names(Document("", "Dra. Arm esto", spans)).spans == spans
