"""Files of courts, notaries and administrations, which the guidelines put under what else tells of the patient."""

from __future__ import annotations

from nadie.detectors.patterns.field import Field
from nadie.labels import Label

PATTERNS = (
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
)
