"""CUIL and CUIT: Argentina's labour and tax number, two digits, the DNI and a check digit."""

from __future__ import annotations

from stdnum.ar import cuit

from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "cuit",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b((?:2[03478]|3[034]|5[05])[ -]?\d{8}[ -]?\d|(?:2[03478]|3[034])[ -]\d{2}\.\d{3}\.\d{3}[ -]\d)\b",
        cue=r"c\.? ?u\.? ?i\.? ?[lt]|cuil/cuit|cuit/cuil",
        checksum=Checksum(cuit.is_valid, 0.93, 0.35),
    ),
)
