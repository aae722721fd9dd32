"""Passports, which have a different form in each country and are known by the word before them."""

from __future__ import annotations

from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

PATTERNS = (
    Field(
        "passport",
        Label.ID_SUJETO_ASISTENCIA,
        r"pasaporte|passport|pasap?\.?(?: n)|pass?port",
        r"[a-z]{0,3}[ -]?\d{5,9}[a-z]?",
        digits=5,
    ),
    # Spain's: three letters and six digits. Other things look like it too.
    Shape("passport_spain", Label.ID_SUJETO_ASISTENCIA, r"\b([A-Z]{3}\d{6}[A-Z]?)\b", score=0.45),
)
