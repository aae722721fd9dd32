"""Decades: `los años 90`, `los 90s`, `la década de los ochenta`."""

from __future__ import annotations

from nadie.detectors.patterns.form import Form
from nadie.detectors.patterns.time.calendar import TENS
from nadie.labels import Label

PATTERNS = (
    Form(
        "decade",
        Label.FECHAS,
        (
            r"(?i)\b(?:decadas? de(?: los)?(?: anos)?|(?:los|primeros|finales de los|principios de los|"
            rf"mediados de los) anos) ('?(?:19|20)?[0-9]0'?s?|{TENS})\b"
        ),
        score=0.9,
    ),
    Form("decade_plural", Label.FECHAS, r"(?i)\blos ('?(?:19)?[2-9]0'?s)\b", score=0.9),
)
