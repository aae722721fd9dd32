"""Bank cards: thirteen to nineteen digits with the check digit of Luhn."""

from __future__ import annotations

from stdnum import luhn

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_CUE = r"tarjeta(?: de (?:credito|debito)| bancaria| visa| mastercard)?|visa|mastercard|amex|american express"


def _holds(value: str) -> bool:
    digits = digits_of(value)
    return len(set(digits)) > 1 and bool(luhn.is_valid(digits))


PATTERNS = (
    Shape(
        "card",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"\b([2-6]\d{3}[ -]\d{4}[ -]\d{4}[ -]\d{4}|3[47]\d{2}[ -]\d{6}[ -]\d{5})\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.97, 0.7),
    ),
    Shape(
        "card_plain",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"\b([2-6]\d{12,18})\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.7, 0.2),
    ),
)
