"""NIE: the number of a foreigner in Spain, X, Y or Z, seven digits and a letter."""

from __future__ import annotations

from stdnum.es import nie

from nadie.detectors.patterns.field import CODE, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_CUE = r"n\.? ?i\.? ?e|tarjeta de (?:residencia|residente|extranjero)|t\.i\.e|permiso de residencia|dni|nif|documento"

PATTERNS = (
    Shape(
        "nie",
        Label.ID_SUJETO_ASISTENCIA,
        r"(?i)\b([xyz][ .-]?\d{7}[ .-]?[a-z])\b",
        cue=_CUE,
        checksum=Checksum(nie.is_valid, 0.97, 0.6),
    ),
    Field(
        "nie_cued",
        Label.ID_SUJETO_ASISTENCIA,
        r"n\.? ?i\.? ?e\b|tarjeta de (?:residencia|residente|extranjero)",
        CODE,
        digits=5,
    ),
)
