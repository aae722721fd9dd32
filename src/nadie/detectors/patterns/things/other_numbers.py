"""Other numbers of one person: files of courts and administrations, memberships, biometric codes."""

from __future__ import annotations

from stdnum.es import referenciacatastral

from nadie.detectors.patterns.field import CODE, Field
from nadie.detectors.patterns.shape import Checksum, Shape
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("things", "nadie.detectors.patterns")

PATTERNS = (
    # Files of courts, notaries and administrations.
    Field(
        "record",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"expediente (?:judicial|administrativo|policial|penal|sancionador|de (?:dependencia|"
        r"incapacidad|adopcion|minusvalia|discapacidad|tutela))|"
        r"(?:diligencias(?: previas)?|procedimiento(?: abreviado)?|sumario|atestado|autos?|"
        r"finca(?: registral)?|liquidacion|protocolo notarial|"
        r"denuncia|sentencia|causa|carpeta(?: de investigacion)?|juicio)(?: (?:n(?:º|o|um|umero)?\.?|numero))? ?",
        r"\d{1,7}/\d{2,4}|\d{5,12}",
        score=0.85,
    ),
    Field(
        "membership",
        Label.OTRO_NUMERO_IDENTIF,
        _WORDS.pattern("memberships"),
        CODE,
        score=0.88,
        digits=4,
    ),
    # The cadastral reference of a home.
    Shape(
        "cadastral",
        Label.OTROS_SUJETO_ASISTENCIA,
        r"(?i)\b(\d{7} ?[a-z]{2}\d{4}[a-z] ?\d{4} ?[a-z]{2})\b",
        checksum=Checksum(referenciacatastral.is_valid, 0.99, 0.85),
    ),
    # Fingerprints, irises, retinas, voices, faces, genetic profiles.
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
