"""Dates with the month as a Roman numeral: `12-XI-2015`, `3/IV/98`."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import ROMAN_MONTH
from nadie.labels import Label

PATTERNS = (
    Shape(
        "date_roman",
        Label.FECHAS,
        rf"(?i)\b((?:0?[1-9]|[12]\d|3[01]) ?[./-] ?{ROMAN_MONTH} ?[./-] ?(?:(?:19|20)\d{{2}}|\d{{2}}))\b",
        score=0.94,
    ),
    Shape(
        "date_roman_spaced",
        Label.FECHAS,
        rf"(?i)\b((?:0?[1-9]|[12]\d|3[01]) {ROMAN_MONTH} (?:19|20)\d{{2}})\b",
        score=0.85,
    ),
)
