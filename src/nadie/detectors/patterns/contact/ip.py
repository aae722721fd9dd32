"""IP addresses. The guidelines list them, with MAC addresses, among the identifiers of devices."""

from __future__ import annotations

from ipaddress import ip_address

from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label

_CUE = r"i\.?p(?:v[46])?|direccion ip|servidor|host|desde la ip|equipo"


def _holds(value: str) -> bool:
    try:
        ip_address(value)
    except ValueError:
        return False
    return True


def _is_v4(value: str) -> bool:
    """A heading such as 1.2.3.4 is none: somewhere an address has more than one digit."""
    return _holds(value) and len(value) > 7


PATTERNS = (
    Shape(
        "ipv4",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE,
        r"\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b",
        cue=_CUE,
        checksum=Checksum(_is_v4, 0.93),
    ),
    Shape(
        "ipv6",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE,
        r"(?i)([0-9a-f]{1,4}(?:::?[0-9a-f]{1,4}){2,7}(?:::)?|[0-9a-f]{1,4}::)",
        cue=_CUE,
        cued=0.0,
        checksum=Checksum(_holds, 0.97),
    ),
)
