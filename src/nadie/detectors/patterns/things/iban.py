"""Bank accounts: IBAN, Spain's CCC, Mexico's CLABE, Argentina's CBU."""

from __future__ import annotations

from stdnum import iban
from stdnum.ar import cbu
from stdnum.es import ccc

from nadie.detectors.patterns.field import NUMBER, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.OTROS_SUJETO_ASISTENCIA
_CUE = (
    r"iban|c\.?c\.?c|clabe(?: interbancaria)?|cbu|cvu|cuenta(?: (?:bancaria|corriente|de ahorros?|"
    r"n))?|cta\.?(?: ?cte\.?)?|"
    r"domiciliacion(?: bancaria)?"
)


def _holds(value: str) -> bool:
    return bool(iban.is_valid(value, check_country=False))


PATTERNS = (
    Shape(
        "iban",
        _ID,
        r"(?i)\b([a-z]{2}\d{2}(?:[ -]?[a-z0-9]{4}){3,7}(?:[ -]?[a-z0-9]{1,3})?)\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.99, 0.3),
    ),
    Shape("iban_spain", _ID, r"(?i)\b(es ?\d{2}(?:[ -]?\d{4}){5})\b", score=0.97),
    Shape("ccc", _ID, r"\b(\d{4}[ -]\d{4}[ -]\d{2}[ -]\d{10})\b", cue=_CUE, checksum=Checksum(ccc.is_valid, 0.99, 0.9)),
    Shape("bank_plain", _ID, r"\b(\d{20})\b", cue=_CUE, checksum=Checksum(ccc.is_valid, 0.97, 0.5)),
    Shape("cbu", _ID, r"\b(\d{22}|\d{8}[ -]\d{14})\b", cue=_CUE, checksum=Checksum(cbu.is_valid, 0.97, 0.5)),
    Field("account", _ID, _CUE, rf"(?:[a-z]{{2}}\d{{2}} ?)?{NUMBER}", score=0.93, digits=8),
)
