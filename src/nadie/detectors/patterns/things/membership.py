"""Any other number that is one person's: member, pupil, client, library card, prisoner."""

from __future__ import annotations

from nadie.detectors.patterns.field import CODE, Field
from nadie.detectors.patterns.form import Form
from nadie.labels import Label

_ID = Label.OTRO_NUMERO_IDENTIF

PATTERNS = (
    Field(
        "membership",
        _ID,
        r"n(?:º|o|ro|um|umero)?\.? ?(?:de )?(?:soci[oa]|client[ea]|abonad[oa]|alumn[oa]|estudiante|"
        r"expositor|carne[t]?(?: de [a-z]{3,14}){0,2}|licencia|"
        r"identificacion|identificador|id|referencia|control|registro civil|intern[oa]|recluso|"
        r"donante|participante|voluntari[oa]|federad[oa]|recibo|factura)|"
        r"soci[oa] n(?:º|o|um)\.?|carne[t]? (?:de (?:biblioteca|conducir|conducir|socio|estudiante|"
        r"manipulador|familia numerosa)|joven)|"
        r"permiso de conducir|licencia de (?:conducir|conduccion|armas)|id:|"
        r"codigo (?:de )?(?:participante|donante|paciente|barras)|nis|nsip",
        CODE,
        score=0.88,
        digits=4,
    ),
    # A long number with nothing to say what it is: rarely a measure, and seldom worth keeping.
    Form("bare_number", _ID, r"\b(\d{6,20})\b", score=0.35),
)
