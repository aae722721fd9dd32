"""NASS, NUSS, NSS: the number of affiliation to the social security of Spain, and of Mexico."""

from __future__ import annotations

from nadie.detectors.patterns.base import digits_of
from nadie.detectors.patterns.field import NUMBER, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label
from nadie.spanish.check_digits import social_security

_CUE = (
    r"n\.? ?a\.? ?s\.? ?s|n\.? ?u\.? ?s\.? ?s|n\.? ?s\.? ?s|(?:n(?:º|o|um|umero)?\.? ?(?:de(?: la)? )?)?"
    r"(?:s\.? ?s|seg(?:uridad|\.)? ?soc(?:ial|\.)?|afiliacion(?: a la seguridad social)?)"
)


def _holds(value: str) -> bool:
    """Whether the last two digits fit the others, with the zeros of a small number or without them."""
    digits = digits_of(value)
    if len(digits) not in (11, 12):
        return False
    province, number, check = digits[:2], digits[2:-2], digits[-2:]
    if not (1 <= int(province) <= 53 or int(province) == 66):
        return False
    return check in (social_security(province, number), f"{int(province + number) % 97:02}")


PATTERNS = (
    Shape(
        "nass",
        Label.ID_ASEGURAMIENTO,
        r"\b(\d{2} ?[ /-] ?\d{7,8} ?[ /-] ?\d{2})\b",
        cue=_CUE,
        checksum=Checksum(_holds, 0.97, 0.75),
    ),
    Shape("nass_plain", Label.ID_ASEGURAMIENTO, r"\b(\d{11,12})\b", cue=_CUE, checksum=Checksum(_holds, 0.6, 0.2)),
    Field("nass_cued", Label.ID_ASEGURAMIENTO, _CUE, NUMBER, digits=5, check=_holds),
)
