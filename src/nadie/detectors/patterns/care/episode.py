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
            rf"{_NUMBER}?(?:episodio|epis\.|icu|nhc?e|folio|internacion|dau|incidente|siniestro)"
            r"(?: asistencial| de urgencias?| de hospitalizacion| de ingreso)?"
        ),
        CODE,
    ),
    Field(
        "contact",
        _ID,
        rf"{_NUMBER}(?:ingreso|admision|atencion|visita|contacto|proceso|problema|consulta|cita|caso|"
        r"turno|peticion|solicitud|orden|"
        r"estudio|informe|muestra|biopsia|laboratorio|prueba|urgencia|alta|acceso|triaje|triage|evolucion|protocolo|"
        r"aviso|servicio|parte|volante|autorizacion|receta|placa|tubo|bloque|traslado|intervencion|"
        r"expediente de traslado|citologia|radiografia|ticket|reserva)",
        CODE,
        score=0.9,
    ),
    Field(
        "contact_labelled",
        _ID,
        r"(?:ingreso|admision|atencion|visita|contacto|proceso|caso|turno|peticion|solicitud|orden|"
        r"estudio|informe|muestra|biopsia|"
        r"protocolo|accession(?: number)?|acc|cita|aviso|autorizacion|volante|referencia|ref|placa|tubo|"
        r"codigo de barras)(?: ?(?:id ?:|n(?:º|o|ro|um)\.?|#| ?:))",
        r"[a-z]{0,4}[- ]?\d{1,14}(?:[-/]\d{1,8}){0,2}",
        score=0.8,
        digits=5,
    ),
    # Without any sign between, the word has to be one that a number follows.
    Field(
        "request",
        _ID,
        r"(?:peticion|solicitud|folio|receta(?: medica| electronica)?|prescripcion|biopsia|citologia|admision|muestra|"
        r"internacion|orden medica|orden|volante|interconsulta|autorizacion|aviso|estudio|protocolo)",
        r"(?:[a-z]{1,4}[- ]?)?\d{1,14}(?:[-/]\d{1,8}){0,2}",
        score=0.75,
        digits=5,
    ),
)
