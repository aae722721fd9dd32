"""CPF: Brazil's number for persons, eleven digits of which two are checks."""

from __future__ import annotations

from stdnum.br import cpf

from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "cpf",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b(\d{3}\.\d{3}\.\d{3} ?- ?\d{2})\b",
        cue=r"c\.? ?p\.? ?f",
        checksum=Checksum(cpf.is_valid, 0.99, 0.85),
    ),
    Shape(
        "cpf_plain",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b(\d{11})\b",
        cue=r"c\.? ?p\.? ?f",
        checksum=Checksum(cpf.is_valid, 0.55),
    ),
)
