"""Any other number that is one person's: member, pupil, client, library card, prisoner."""

from __future__ import annotations

from stdnum.es import referenciacatastral

from nadie.detectors.patterns.field import CODE, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.OTRO_NUMERO_IDENTIF

PATTERNS = (
    Field(
        "membership",
        _ID,
        r"n(?:º|o|ro|um|umero)?\.? ?(?:de )?(?:soci[oa]|client[ea]|abonad[oa]|alumn[oa]|estudiante|"
        r"expositor|carne[t]?(?: de [a-z]{3,14}){0,2}|licencia(?: federativa)?|matricula escolar|"
        r"identificacion|identificador|id|referencia|control|registro civil|intern[oa]|recluso|"
        r"donante|participante|voluntari[oa]|federad[oa]|recibo|factura)|"
        r"soci[oa] n(?:º|o|um)\.?|donante|participante|licencia federativa|"
        r"carne[t]? (?:de (?:biblioteca|conducir|conducir|socio|estudiante|"
        r"manipulador|familia numerosa)|joven)|"
        r"permiso de conducir|licencia de (?:conducir|conduccion|armas)|id:|"
        r"codigo (?:de )?(?:participante|donante|paciente|barras)|nis|nsip",
        CODE,
        score=0.88,
        digits=4,
    ),
    # The cadastral reference of a home.
    Shape(
        "cadastral",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"(?i)\b(\d{7} ?[a-z]{2}\d{4}[a-z] ?\d{4} ?[a-z]{2})\b",
        checksum=Checksum(referenciacatastral.is_valid, 0.99, 0.85),
    ),
)
