"""Chassis numbers: seventeen characters without I, O and Q."""

from __future__ import annotations

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.form import Checksum, Form
from nadie.labels import Label

_ID = Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS
_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_VALUES = {str(n): n for n in range(10)} | dict(
    zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True)
)


def _holds(value: str) -> bool:
    """North America's check digit, the ninth character, which European makers need not keep."""
    if not 3 <= len(digits_of(value)) <= 14:
        return False
    rest = sum(weight * _VALUES[c] for weight, c in zip(_WEIGHTS, value.upper(), strict=True)) % 11
    return value[8].upper() == ("X" if rest == 10 else str(rest))


PATTERNS = (
    Form("vin", _ID, r"\b([A-HJ-NPR-Z0-9]{13}\d{4})\b", checksum=Checksum(_holds, 0.9, 0.4)),
    Field(
        "vin_cued",
        _ID,
        r"bastidor|v\.?i\.?n|chasis|n(?:º|o|um|umero)?\.? ?(?:de )?motor",
        r"[a-z0-9]{2,3}-?[a-z0-9]{4,15}",
        digits=4,
    ),
)
