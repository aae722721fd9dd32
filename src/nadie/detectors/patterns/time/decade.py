"""Decades: `los años 90`, `los 90s`, `la década de los ochenta`."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import TENS
from nadie.labels import Label

_DECADE = rf"(?:'?(?:19|20)?[0-9]0'?s?|{TENS})"

PATTERNS = (
    Shape("decade", Label.FECHAS, rf"(?i)\blos (?:primeros |ultimos )?(anos {_DECADE})\b", score=0.9),
    Shape("decade_named", Label.FECHAS, rf"(?i)\bdecadas? de (?:los )?(?:anos )?({_DECADE})\b", score=0.9),
    Shape("decade_plural", Label.FECHAS, r"(?i)\blos ('?(?:19)?[2-9]0'?s)\b", score=0.9),
)
