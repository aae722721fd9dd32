"""Codes of fingerprints, irises, retinas, voices and faces, and of genetic profiles."""

from __future__ import annotations

from nadie.detectors.patterns.field import Field
from nadie.labels import Label

PATTERNS = (
    Field(
        "biometric",
        Label.IDENTIF_BIOMETRICOS,
        r"(?:huellas?(?: (?:dactilar(?:es)?|digital(?:es)?|palmar|plantar))?|escaneo (?:retiniano|"
        r"de retina|de iris|facial)|iris|retina|"
        r"biometri[ac]o?s?|reconocimiento facial|plantilla facial|perfil genetico|dactilograma|voz)"
        r"(?: (?:del paciente|con|codigo|cod\.?|id|identificador|numero|registrad[oa]|de|como|el|la|bajo)){0,5}",
        (
            r"[a-z]{1,6}[-_/]?\d{2,12}[a-z0-9]{0,12}(?:[-_/][a-z0-9]{1,12}){0,3}|"
            r"\d{3,8}(?:[-_/][a-z0-9]{1,8}){1,3}|\d{5,16}"
        ),
        score=0.93,
    ),
)
