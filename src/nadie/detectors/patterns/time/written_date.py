"""Dates with the month in letters: whole or cut short, with or without day and year, in figures or words."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import DAY, MONTH, SHORT_MONTH, SPELT_YEAR, WEEKDAY, YEAR
from nadie.labels import Label

_ANY_MONTH = rf"(?:{MONTH}|{SHORT_MONTH}\b\.?)"
_OF = r"[ ,./-]{0,3}(?:de(?:l)? )?(?:mes de )?(?:ano )?"
_ANY_YEAR = rf"(?:{YEAR}|{SPELT_YEAR})"
_TEMPORAL = (
    r"en|desde|hasta|durante|para|este|pasado|proximo|mes de|meses de|principios de|primeros de|"
    r"inicios de|comienzos de|mediados de|"
    r"finales de|fines de|ultimos de"
)

PATTERNS = (
    Shape(
        "date_written",
        Label.FECHAS,
        (
            rf"(?i)\b((?:{WEEKDAY},? (?:dia )?)?(?:{DAY})(?:[ ./-]{{0,2}}(?:de(?:l)? )?(?"
            rf":mes de )?){MONTH}(?:{_OF}{_ANY_YEAR}|(?: de(?:l)? |[/.-]|[ ,]?')\d{{2}})?)\b"
        ),
        score=0.96,
    ),
    Shape(
        "date_short",
        Label.FECHAS,
        (
            rf"(?i)\b((?:{WEEKDAY},? )?(?:0?[1-9]|[12]\d|3[01])[ ./-]{{0,2}}(?:de )?{SHORT_MONTH}\b\.?"
            rf"[ ,./-]{{0,2}}(?:de(?:l)? )?(?:{YEAR}|'?\d{{2}}))\b"
        ),
        score=0.94,
    ),
    Shape(
        "date_glued",
        Label.FECHAS,
        rf"(?i)\b((?:0[1-9]|[12]\d|3[01])(?:{MONTH}|{SHORT_MONTH})(?:{YEAR}|\d{{2}}))\b",
        score=0.95,
    ),
    Shape(
        "day_month_short",
        Label.FECHAS,
        rf"(?i)\b((?:0?[1-9]|[12]\d|3[01])[ ./-]{{1,2}}(?:de )?{SHORT_MONTH})\b",
        score=0.6,
    ),
    # Colombia and Mexico put the month first: `mayo 3 de 2015`.
    Shape(
        "month_first",
        Label.FECHAS,
        rf"(?i)\b({_ANY_MONTH}[ ./-]{{1,2}}(?:0?[1-9]|[12]\d|3[01])(?:,? ?(?:de(?:l)? )?|[/-]){YEAR})\b",
        score=0.95,
    ),
    Shape("month_of_year", Label.FECHAS, rf"(?i)\b({MONTH}{_OF}{_ANY_YEAR})\b", score=0.97),
    Shape(
        "short_month_of_year",
        Label.FECHAS,
        rf"(?i)\b({SHORT_MONTH}\b\.?[ ,./-]{{0,2}}(?:de(?:l)? )?{YEAR})\b",
        score=0.94,
    ),
    Shape("month_short_year", Label.FECHAS, rf"(?i)\b({MONTH}[ ./-]{{1,2}}(?:de(?:l)? )?'?\d{{2}})\b", score=0.85),
    Shape("short_month_short_year", Label.FECHAS, rf"(?i)\b({SHORT_MONTH}[./'-]{{1,2}}\d{{2}})\b", score=0.8),
    Shape("month", Label.FECHAS, rf"(?i)\b({MONTH})\b", score=0.3, cue=_TEMPORAL, cued=0.8),
    # The first day of a stretch whose second day carries the month: `del 12 al 15 de mayo`.
    Shape(
        "day_of_range",
        Label.FECHAS,
        (
            r"(?i)\b((?:0?[1-9]|[12]\d|3[01]))(?: y| al| a| hasta el| -|-|,) ?(?:el )?(?:dia )?(?:0?[1-9]|"
            rf"[12]\d|3[01]) de {MONTH}"
        ),
        score=0.88,
    ),
)
