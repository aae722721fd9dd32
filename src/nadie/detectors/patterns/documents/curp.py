"""CURP: Mexico's population key, eighteen characters with the initials, birth date, sex and state of its holder."""

from __future__ import annotations

from stdnum.mx import curp

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "curp",
        Label.ID_SUJETO_ASISTENCIA,
        r"(?i)\b([a-z]{4}\d{6}[hmx][a-z]{5}[a-z0-9]\d)\b",
        checksum=Checksum(curp.is_valid, 0.99, 0.95),
    ),
    # Mistyped or cut off, a key after its name is one still.
    Field("curp_cued", Label.ID_SUJETO_ASISTENCIA, r"c\.? ?u\.? ?r\.? ?p", r"[a-z]{3,5}\d{4,7}[a-z0-9]{0,9}", digits=4),
    # The voter's key on the same person's INE card.
    Shape("elector", Label.ID_SUJETO_ASISTENCIA, r"(?i)\b([a-z]{6}\d{8}[hm]\d{3})\b", score=0.97),
    Field(
        "elector_cued",
        Label.ID_SUJETO_ASISTENCIA,
        r"clave de elector|credencial de elector|\bine\b|\bife\b",
        r"[a-z]{0,6}\d{6,13}[a-z]?\d{0,3}",
        digits=8,
    ),
)
