"""DNI and NIF: Spain's identity number, eight digits and a letter that depends on them."""

from __future__ import annotations

from stdnum.es import dni

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_CUE = (
    r"d\.? ?n\.? ?i|n\.? ?i\.? ?f|(?:n(?:º|o|um)?\.? )?doc(?:umento)?s?\.?(?: nac(?:ional)"
    r"?)?(?: de)?(?: ident(?:idad|ificacion)?)?|"
    r"identificacion|identificador|identidad|nro\. doc|tipo y n(?:º|o)\.? de doc"
)


def _holds(value: str) -> bool:
    return bool(dni.is_valid(digits_of(value).rjust(8, "0") + value[-1]))


PATTERNS = (
    Shape(
        "dni",
        Label.ID_SUJETO_ASISTENCIA,
        r"(?i)\b(\d{7,8}-?[a-z]|\d{1,2}[. ]\d{3}[. ]\d{3} ?-? ?[a-z])\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.95, 0.45),
    ),
    # With a blank before it, the letter may as well be a word of its own.
    Shape(
        "dni_spaced",
        Label.ID_SUJETO_ASISTENCIA,
        r"\b(\d{8} ?-? [A-Z])\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.8, 0.2),
    ),
    # DNI is also the document of Argentina and Peru, without a letter.
    Field(
        "dni_cued",
        Label.ID_SUJETO_ASISTENCIA,
        rf"(?:{_CUE})(?:[ :]{{1,2}}(?:dni|nif|nie|cc|ci|ti|ce|v|e)\b)?",
        r"\d{2}-\d{8}-\d|\d{1,3}[.' ]\d{3}[.' ]\d{3}(?: ?-? ?[a-z]\b)?|\d{5,10}(?:[ -]{0,2}[a-z]\b)?",
        digits=5,
    ),
)
