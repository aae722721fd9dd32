"""Chassis numbers: seventeen characters without I, O and Q."""

from __future__ import annotations

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label
from nadie.spanish.check_digits import chassis

_ID = Label.IDENTIF_VEHICULOS_NRSERIE_PLACAS


def _holds(value: str) -> bool:
    """North America's check digit, the ninth character, which European makers need not keep."""
    return 3 <= len(digits_of(value)) <= 14 and value[8].upper() == chassis(value.upper())


PATTERNS = (
    Shape("vin", _ID, r"\b([A-HJ-NPR-Z0-9]{13}\d{4})\b", checksum=Checksum(_holds, 0.9, 0.4)),
    Field(
        "vin_cued",
        _ID,
        r"bastidor|v\.?i\.?n|chasis|n(?:º|o|um|umero)?\.? ?(?:de )?motor",
        r"[a-z0-9]{2,3}-?[a-z0-9]{4,15}",
        digits=4,
    ),
)
