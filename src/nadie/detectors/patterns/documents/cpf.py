"""CPF: Brazil's number for persons, eleven digits of which two are checks."""

from __future__ import annotations

from stdnum.br import cpf

from nadie.detectors.patterns.form import Checksum, Form
from nadie.labels import Label

PATTERNS = (
    Form(
        "cpf",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b(\d{3}\.\d{3}\.\d{3} ?- ?\d{2})\b",
        cue=r"c\.? ?p\.? ?f",
        checksum=Checksum(cpf.is_valid, 0.99, 0.85),
    ),
    Form(
        "cpf_plain",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b(\d{11})\b",
        cue=r"c\.? ?p\.? ?f",
        checksum=Checksum(cpf.is_valid, 0.55),
    ),
)
