"""Seasons of a year."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import SEASON, YEAR
from nadie.labels import Label

PATTERNS = (
    Shape("season_of_year", Label.FECHAS, rf"(?i)\b({SEASON}(?: de(?:l)?)?(?: ano)? {YEAR})\b", score=0.96),
    Shape("season_of_short_year", Label.FECHAS, rf"(?i)\b({SEASON} del? '?\d{{2}})\b", score=0.8),
    Shape(
        "season",
        Label.FECHAS,
        rf"(?i)\b({SEASON})\b",
        score=0.3,
        cue=r"pasado|ultimo|este|proximo|en el|desde el|durante el|mediados de|finales de|principios de",
        cued=0.65,
    ),
)
