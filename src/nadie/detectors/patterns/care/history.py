"""History numbers: what a hospital files a patient under, after any of the many words for it."""

from __future__ import annotations

from nadie.detectors.patterns.field import CODE, Field
from nadie.labels import Label

_ID = Label.ID_SUJETO_ASISTENCIA

PATTERNS = (
    Field(
        "history",
        _ID,
        r"n\.? ?h\.? ?c(?:[ :.]{1,2}nhc)?|n\.? ?u\.? ?h\.? ?c|h\.c\.?(?: n)?|hcl|hcu|hce|mrn|"
        r"prontuario|pid|codigo (?:de )?paciente|"
        r"(?:n(?:º|o|um|umero)?\.? ?(?:de )?)?(?:historial?|hist\.?|hª|h\.ª)(?: ?cl(?:inica|in|"
        r"\.)?)?(?: ?electronica)?|"
        r"(?:n(?:º|o|um|umero)\.? ?(?:de )?)(?:paciente|registro|ficha|archivo)|ficha(?: clinica)?|"
        r"registro (?:clinico|hospitalario)|(?:n(?:º|o|um|umero)\.? ?(?:de )?)?registro|"
        r"expediente(?: clinico| medico)?|exp\.|legajo(?: clinico)?|id\.? ?(?:de )?(?:paciente|"
        r"pac)\.?|paciente n(?:º|o|um)\.?",
        CODE,
    ),
    # Two letters are a weak cue: capitals are asked for, or a colon.
    Field("history_short", _ID, r"(?-i:HC|H\.? ?C|HX|Hª|NH)|hc:|hc n|nh:", CODE, score=0.9, digits=4),
    # Madrid's code of the autonomous community: the guidelines count it among the patient's identifiers.
    Field("cipa", _ID, r"c\.? ?i\.? ?p\.? ?a(?:[ :.]{1,3}nhc ?-)?", CODE),
)
