"""MAC addresses, an identifier of the device."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

PATTERNS = (
    Shape(
        "mac",
        Label.IDENTIF_DISPOSITIVOS_NRSERIE,
        r"(?i)\b((?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:[0-9a-f]{2}-){5}[0-9a-f]{2})\b",
        score=0.97,
    ),
    Shape(
        "mac_dotted", Label.IDENTIF_DISPOSITIVOS_NRSERIE, r"(?i)\b([0-9a-f]{4}\.[0-9a-f]{4}\.[0-9a-f]{4})\b", score=0.8
    ),
)
