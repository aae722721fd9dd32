"""RUT and RUN: Chile's number for persons and companies, up to eight digits and a check character."""

from __future__ import annotations

from stdnum.cl import rut

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_CUE = r"r\.? ?u\.? ?[tn]|rol unico (?:tributario|nacional)|rut/run|run/rut|cedula de identidad|c\.? ?i"

PATTERNS = (
    Shape(
        "rut",
        Label.ID_SUJETO_ASISTENCIA,
        r"(?i)\b(\d{1,2}\.\d{3}\.\d{3} ?- ?[0-9k]|\d{7,8}-[0-9k])\b",
        cue=_CUE,
        checksum=Checksum(rut.is_valid, 0.97, 0.7),
    ),
    Field(
        "rut_cued",
        Label.ID_SUJETO_ASISTENCIA,
        r"r\.? ?u\.? ?t|r\.? ?u\.? ?n|rol unico (?:tributario|nacional)",
        r"\d{1,2}[. ]?\d{3}[. ]?\d{3}(?: ?- ?[0-9k])?|\d{6,9}k?",
        digits=6,
        check=rut.is_valid,
    ),
)
