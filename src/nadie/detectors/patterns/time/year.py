"""Years without a day or a month."""

from __future__ import annotations

from functools import partial

from nadie.detectors.patterns.base import follows, precedes
from nadie.detectors.patterns.measures import has_scale, has_unit
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern, Shape
from nadie.detectors.patterns.time.calendar import SPELT_YEAR, YEAR
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("time", "nadie.detectors.patterns")

_date = partial(Shape, label=Label.FECHAS)
_TEMPORAL = rf"\b{_WORDS.pattern('before years')}[ (]{{1,2}}"
_WEAK = r"\b(?:de|del|y|a|el|al)[ ]{1,2}|[(\[,/-] ?"


def _year(note: PlainText, start: int, end: int) -> float:
    """The score of four digits that the words around them make a year, and no quantity."""
    if follows(note, start, r"\d[.,/]|[+<>=x*]", 2) or precedes(note, end, r"[.,]\d|[a-z]", 2):
        return 0.0
    if has_unit(note, end) or has_scale(note, start):
        return 0.0
    if follows(note, start, _TEMPORAL):
        return 0.93
    if follows(note, start, r"(?:19|20)\d{2} ?(?:-|/|y|a|hasta|al|,)(?: el)? ?") or precedes(
        note, end, r" ?(?:-|/|y|a|hasta|al|,) ?(?:19|20)\d{2}\b"
    ):
        return 0.88
    return 0.6 if follows(note, start, _WEAK) else 0.3


PATTERNS = (
    # The corpus marks the word `año` too when it stands before the figure.
    _date("the_year", regex=rf"(?i)\b(anos? (?:de )?(?:{YEAR}|{SPELT_YEAR}))\b", score=0.94),
    _date("spelt_year", regex=rf"(?i)\b(?:en|desde|hasta|del|de) ({SPELT_YEAR})\b", score=0.6, cue=r"en|desde|hasta"),
    _date("short_year", regex=r"(?i)\b(?:el|del|en) (ano '?\d{2})\b", score=0.75),
    _date("school_year", regex=r"(?i)\b(?:curso|temporada|campana|periodo) ((?:19|20)\d{2}[/-]\d{2,4})\b", score=0.9),
    _date("eighties", regex=r"(?i)\ben los ('?[2-9]0)(?:[,.;)]|\z)", score=0.6),
    ContextPattern("year", Label.FECHAS, r"\b(1[89]\d{2}|20[0-4]\d)\b", _year),
)
