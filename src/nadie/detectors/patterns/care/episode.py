"""Numbers of one contact with health care: episode, admission, request, report, sample."""

from __future__ import annotations

from nadie.detectors.patterns.field import CODE, Field
from nadie.labels import Label

_ID = Label.ID_CONTACTO_ASISTENCIAL
_NUMBER = r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de(?:l)? )?)"

PATTERNS = (
    Field(
        "episode",
        _ID,
        (
            rf"{_NUMBER}?(?:episodio|epis\.|icu|nhc?e|folio)(?: asistencial| de urgencias?|"
            r" de hospitalizacion| de ingreso)?"
        ),
        CODE,
    ),
    Field(
        "contact",
        _ID,
        rf"{_NUMBER}(?:ingreso|admision|atencion|visita|contacto|proceso|problema|consulta|cita|caso|"
        r"turno|peticion|solicitud|orden|"
        r"estudio|informe|muestra|biopsia|laboratorio|prueba|urgencia|alta|acceso|triaje|triage|evolucion|protocolo)",
        CODE,
        score=0.9,
    ),
    Field(
        "contact_labelled",
        _ID,
        r"(?:ingreso|admision|atencion|visita|contacto|proceso|caso|turno|peticion|solicitud|orden|"
        r"estudio|informe|muestra|biopsia|"
        r"protocolo|accession(?: number)?|acc|cita)(?: ?(?:id ?:|n(?:º|o|ro|um)\.?|#| ?:))",
        r"[a-z]{0,3}-?\d{4,14}(?:[-/]\d{1,8}){0,2}",
        score=0.8,
        digits=5,
    ),
)
