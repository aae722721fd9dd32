"""RFC: Mexico's tax number, three or four letters, a date, and three characters more."""

from __future__ import annotations

from stdnum.mx import rfc

from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "rfc",
        Label.ID_SUJETO_ASISTENCIA,
        r"(?i)\b([a-z&]{3,4}[ -]?\d{2}[01]\d[0-3]\d[ -]?[a-z0-9]{3})\b",
        cue=r"r\.? ?f\.? ?c",
        checksum=Checksum(rfc.is_valid, 0.95, 0.6),
    ),
)
