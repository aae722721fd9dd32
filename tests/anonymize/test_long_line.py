"""The cost of a text without line breaks is linear in its length: Python steps are counted, not seconds."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from functools import partial
from types import FrameType

from nadie.anonymize.engine import Engine
from nadie.anonymize.policy import read_policy
from nadie.document import Document, Span
from nadie.run.documents import load

from .marked import KEY, anonymized

_NOTE = "Paciente: Ana Pérez Soto, NHC 76{n:05d}, natural de Lugo. Ingresa el {d}/03/2019 por tos y fiebre de 3 días. "
_LABELS = {
    "NOMBRE_SUJETO_ASISTENCIA": r"Ana Pérez Soto",
    "ID_SUJETO_ASISTENCIA": r"76\d{5}",
    "TERRITORIO": r"Lugo",
    "FECHAS": r"\d+/03/2019",
}


def line_of(notes: int) -> Document:
    text = "".join(_NOTE.format(n=n, d=1 + n % 28) for n in range(notes))
    spans = [
        Span(match.start(), match.end(), label)
        for label, pattern in _LABELS.items()
        for match in re.finditer(pattern, text)
    ]
    return Document("line", text, tuple(spans))


def calls(work: Callable[[], object]) -> int:
    """How many calls of Python functions and of built-in ones the work takes."""
    count = 0

    def seen(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(seen)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def test_the_engine_takes_time_in_proportion_to_the_text() -> None:
    engine = Engine(read_policy("research"), KEY)
    anonymized(engine, line_of(10))
    short, long = (calls(partial(anonymized, engine, line_of(n))) for n in (60, 180))
    assert long < 3.5 * short


def test_the_model_takes_time_in_proportion_to_the_text() -> None:
    model = load("fast")
    texts = [Document("line", line_of(n).text) for n in (10, 60, 180)]
    model.annotate(texts[0])
    short, long = (calls(partial(model.annotate, text)) for text in texts[1:])
    assert long < 3.5 * short


def test_nothing_of_a_long_line_is_left_out() -> None:
    document = line_of(300)
    text = load("fast", policy="research").anonymize(Document("line", document.text))
    assert "Pérez" not in text
    assert not re.search(r"\b76\d{5}\b.*Lugo", text[-200:])
    assert text.count("tos y fiebre") == 300
