"""Numbers of patients and of their contacts with health care: history, episode, request, sample."""

from __future__ import annotations

from nadie.detectors.patterns.field import CODE, Field
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("care", "nadie.detectors.patterns")

_PATIENT = Label.ID_SUJETO_ASISTENCIA
_CONTACT = Label.ID_CONTACTO_ASISTENCIAL
_NUMBER = r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de(?:l)? )?)"

PATTERNS = (
    Field(
        "history",
        _PATIENT,
        _WORDS.pattern("history"),
        CODE,
    ),
    # Two letters are a weak cue: they need capitals or a colon.
    Field("history_short", _PATIENT, r"(?-i:HC|H\.? ?C|HX|Hª|NH)|hc:|hc n|nh:", CODE, score=0.9, digits=4),
    # Madrid's code of the autonomous community: the guidelines count it among the patient's identifiers.
    Field("cipa", _PATIENT, r"c\.? ?i\.? ?p\.? ?a(?:[ :.]{1,3}nhc ?-)?", CODE),
    # Numbers of one contact with health care.
    Field(
        "episode",
        _CONTACT,
        (
            rf"{_NUMBER}?(?:episodio|epis\.|icu|nhc?e|folio|internacion|dau|incidente|siniestro)"
            r"(?: asistencial| de urgencias?| de hospitalizacion| de ingreso)?"
        ),
        CODE,
    ),
    Field(
        "contact",
        _CONTACT,
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
        _CONTACT,
        rf"{_WORDS.pattern('labelled contacts')}(?: ?(?:id ?:|n(?:º|o|ro|um)\.?|#| ?:))",
        r"[a-z]{0,4}[- ]?\d{1,14}(?:[-/]\d{1,8}){0,2}",
        score=0.8,
        digits=5,
    ),
    # Without any sign between, the word has to be one that a number follows.
    Field(
        "request",
        _CONTACT,
        r"(?:peticion|solicitud|folio|receta(?: medica| electronica)?|prescripcion|biopsia|citologia|admision|muestra|"
        r"internacion|orden medica|orden|volante|interconsulta|autorizacion|aviso|estudio|protocolo)",
        r"(?:[a-z]{1,4}[- ]?)?\d{1,14}(?:[-/]\d{1,8}){0,2}",
        score=0.75,
        digits=5,
    ),
)
