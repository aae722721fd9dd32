"""A small real detector whose answers are known beforehand, and which does harm when a text asks for it.

A third party's detector can hang, crash, print and raise with document text in its message, and an operator can crash
too. The service has to withstand all of it, so these do each on demand.
"""

from __future__ import annotations

import os
import re
import sys
import time
from collections.abc import Sequence
from typing import Self

from nadie.anonymize.context import Context
from nadie.anonymize.operators.base import Traits
from nadie.document import Document, Span
from nadie.storage import ModelFolder

_NAME = r"[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+(?: [A-ZÁÉÍÓÚÑ][a-záéíóúñ]+){0,2}"
# label, pattern, score: low scores make doubtful spans on purpose
_PATTERNS = [
    ("NOMBRE_SUJETO_ASISTENCIA", rf"(?<=Paciente: ){_NAME}", 0.99),
    ("NOMBRE_PERSONAL_SANITARIO", rf"(?<=Dra\. ){_NAME}", 0.55),
    ("HOSPITAL", rf"Hospital {_NAME}", 0.72),
    ("FECHAS", r"\b\d{2}/\d{2}/\d{4}\b", 0.97),
    ("EDAD_SUJETO_ASISTENCIA", r"\b\d{1,3} años\b", 0.98),
    ("NUMERO_TELEFONO", r"\b[6-9]\d{2} \d{3} \d{3}\b", 0.985),
    ("CORREO_ELECTRONICO", r"\b[a-z.]+@[a-z.]+\b", 0.995),
    ("TERRITORIO", r"(?<=natural de )[A-ZÁÉÍÓÚÑ][a-záéíóúñ]+", 0.61),
]
# What is found only with a bias
_NEARLY = [
    ("FAMILIARES_SUJETO_ASISTENCIA", rf"(?<=[Hh]abla con ){_NAME}", 0.3),
    ("ID_EMPLEO_PERSONAL_SANITARIO", r"(?<=usuario )[a-z]+", 0.2),
]


def _compiled(patterns: list[tuple[str, str, float]]) -> list[tuple[str, re.Pattern[str], float]]:
    return [(label, re.compile(pattern), score) for label, pattern, score in patterns]


_COMPILED = _compiled(_PATTERNS)
_WITH_BIAS = _compiled([*_PATTERNS, *_NEARLY])


class Probe:
    """Finds what the patterns above find."""

    name = "probe"

    def __init__(self, bias: float = 0.0) -> None:
        self._bias = bias

    def with_bias(self, bias: float) -> Self:
        return type(self)(self._bias + bias)

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self._spans(document.text) for document in documents]

    def _spans(self, text: str) -> tuple[Span, ...]:
        if "PROBE-HANG" in text:
            time.sleep(3600)
        if "PROBE-CRASH" in text:
            os.abort()
        if "PROBE-PRINT" in text:
            sys.stdout.write(text)
            sys.stderr.write(text)
            os.write(1, text.encode())
        if "PROBE-RAISE" in text:
            raise RuntimeError(text)
        return tuple(
            Span(match.start(), match.end(), label, score, self.name)
            for label, pattern, score in (_WITH_BIAS if self._bias > 0 else _COMPILED)
            for match in pattern.finditer(text)
        )

    @classmethod
    def load(cls, folder: ModelFolder) -> Self:
        return cls()


class Harmful:
    """Replaces a value by two asterisks, or ends the process."""

    name = "harmful"
    traits = Traits.NONE

    def replace(self, value: str, span: Span, context: Context) -> str:
        if "PROBE-CRASH" in value:
            os.abort()
        return "**"
