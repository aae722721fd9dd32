"""Bank accounts (IBAN, CCC of Spain, CLABE of Mexico, CBU of Argentina) and bank cards."""

from __future__ import annotations

from stdnum import iban, luhn
from stdnum.ar import cbu
from stdnum.es import ccc

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import NUMBER, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_ID = Label.OTROS_SUJETO_ASISTENCIA
_CUE = (
    r"iban|c\.?c\.?c|clabe(?: interbancaria)?|cbu|cvu|cuenta(?: (?:bancaria|corriente|de ahorros?|"
    r"n))?|cta\.?(?: ?cte\.?)?|"
    r"domiciliacion(?: bancaria)?"
)
_CARD_CUE = r"tarjeta(?: de (?:credito|debito)| bancaria| visa| mastercard)?|visa|mastercard|amex|american express"
_IBAN = r"(?i)\b([a-z]{2}\d{2}(?:[ -]?[a-z0-9]{4}){3,7}(?:[ -]?[a-z0-9]{1,3})?)\b"
_CCC = r"\b(\d{4}[ -]\d{4}[ -]\d{2}[ -]\d{10})\b"
_CARD = r"\b([2-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d{2}[ -]\d{6}[ -]\d{5})\b"


def _is_iban(value: str) -> bool:
    return bool(iban.is_valid(value, check_country=False))


def _is_card(value: str) -> bool:
    digits = digits_of(value)
    return len(set(digits)) > 1 and bool(luhn.is_valid(digits))


PATTERNS = (
    Shape("iban", _ID, _IBAN, cue=_CUE, checksum=Checksum(_is_iban, 0.99, 0.3)),
    Shape("iban_spain", _ID, r"(?i)\b(es ?\d{2}(?:[ -]?\d{4}){5})\b", score=0.97),
    Shape("ccc", _ID, _CCC, cue=_CUE, checksum=Checksum(ccc.is_valid, 0.99, 0.9)),
    Shape("bank_plain", _ID, r"\b(\d{20})\b", cue=_CUE, checksum=Checksum(ccc.is_valid, 0.97, 0.5)),
    Shape("cbu", _ID, r"\b(\d{22}|\d{8}[ -]\d{14})\b", cue=_CUE, checksum=Checksum(cbu.is_valid, 0.97, 0.5)),
    Field("account", _ID, _CUE, rf"(?:[a-z]{{2}}\d{{2}} ?)?{NUMBER}", score=0.93, digits=8),
    Shape("card", _ID, _CARD, cue=_CARD_CUE, checksum=Checksum(_is_card, 0.97, 0.7)),
    Shape("card_plain", _ID, r"\b([2-6]\d{12,18})\b", cue=_CARD_CUE, checksum=Checksum(_is_card, 0.7, 0.2)),
)
