"""Days of the week. The guidelines mark them; a dose on Mondays has them too, so alone they are worth less."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import WEEKDAY
from nadie.labels import Label

PATTERNS = (
    Shape("weekday_and_day", Label.FECHAS, rf"(?i)\b({WEEKDAY},? (?:dia )?(?:0?[1-9]|[12]\d|3[01]))\b", score=0.85),
    Shape(
        "weekday",
        Label.FECHAS,
        rf"(?i)\b({WEEKDAY}s?)\b",
        score=0.55,
        cue=r"el|este|pasado|proximo|desde el|hasta el|noche del|tarde del|manana del|madrugada del|dia",
        cued=0.7,
    ),
)
