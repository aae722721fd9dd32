"""Feast days, which are dates to whoever knows the calendar."""

from __future__ import annotations

from nadie.detectors.patterns.shape import Shape
from nadie.labels import Label
from nadie.spanish.calendar import AMBIGUOUS, FEASTS, SAINTS
from nadie.spanish.folding import fold

_FEASTS = "|".join(sorted((fold(name) for name in FEASTS if name not in AMBIGUOUS), key=len, reverse=True))
_SAINTS = "|".join(map(fold, SAINTS))

PATTERNS = (
    Shape("feast", Label.FECHAS, rf"(?i)\b((?:dia de )?(?:{_FEASTS})(?: de(?:l)? (?:19|20)\d{{2}})?)\b", score=0.75),
    # A saint is a hospital or a street as well: only where the word before says it is a day.
    Shape(
        "saint",
        Label.FECHAS,
        rf"(?i)\b(?:en|por|vispera de|dia de|festividad de|fiesta de) ({_SAINTS})\b",
        score=0.4,
        cue=r"vispera de|dia de|festividad de|fiestas? de",
        cued=0.8,
    ),
)
