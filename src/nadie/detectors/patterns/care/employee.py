"""Numbers of employees of a health centre."""

from __future__ import annotations

from nadie.detectors.patterns.field import Field
from nadie.labels import Label

PATTERNS = (
    Field(
        "employee",
        Label.ID_EMPLEO_PERSONAL_SANITARIO,
        r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de )?)?(?:emplead[oa]|trabajador(?:a)?|funcionari[oa]|"
        r"personal|legajo (?:de )?(?:personal|emplead[oa]|medico|profesional)|"
        r"nomina|usuario|matricula de emplead[oa])(?: (?:n(?:º|o|um)?|id|codigo)\.?)?|cod(?:igo|"
        r"\.)? ?(?:de )?(?:emplead[oa]|facultativo|profesional|medico)|cias|npi",
        r"[a-z]{0,3}[-/]?\d{3,10}[a-z]?",
        score=0.9,
    ),
)
