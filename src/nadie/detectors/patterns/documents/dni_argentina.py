"""Documents of seven or eight digits with points between them, as Argentina, Uruguay, Venezuela and Paraguay write.

A platelet count has that form too, so the form alone is worth little, and a unit after it makes it worth nothing.
"""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label

_CUE = (
    r"d\.? ?n\.? ?i|l\.? ?e|l\.? ?c|c\.? ?i|documento|cedula(?: de identidad)?|identidad|"
    r"libreta (?:civica|de enrolamiento)"
)

PATTERNS = (
    Shape("dni_argentina", Label.ID_SUJETO_ASISTENCIA, r"\b(\d{1,2}\.\d{3}\.\d{3})\b", score=0.5, cue=_CUE),
    Shape("venezuela", Label.ID_SUJETO_ASISTENCIA, r"\b([VE]-?\d{1,2}\.?\d{3}\.?\d{3})\b", score=0.75, cue=_CUE),
    Shape("uruguay", Label.ID_SUJETO_ASISTENCIA, r"\b(\d\.\d{3}\.\d{3}-\d)\b", score=0.9, cue=_CUE),
)
