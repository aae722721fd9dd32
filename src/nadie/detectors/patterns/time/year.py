"""A year alone, in a place where a year stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.measures import has_scale, has_unit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.shape import Shape
from nadie.detectors.patterns.time.calendar import SPELT_YEAR, YEAR
from nadie.document import Span
from nadie.labels import Label

_TEMPORAL = (
    r"\b(?:en|desde|hasta|durante|antes de|despues de|a partir de|entre|hacia|sobre|alla por|"
    r"trimestre(?: de| del)?|semestre(?: de| del)?|principios de|"
    r"mediados de|finales de|fines de|inicios de|desde el|en el|del ano|curso)[ (]{1,2}"
)
_WEAK = r"\b(?:de|del|y|a|el|al)[ ]{1,2}|[(\[,/-] ?"


@dataclass(frozen=True)
class Year:
    """Four digits that are a year by the words around them, and no quantity."""

    name: str = "year"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b(1[89]\d{2}|20[0-4]\d)\b"):
            start, end = match.span(1)
            if follows(note, start, r"\d[.,/]|[+<>=x*]", 2) or precedes(note, end, r"[.,]\d|[a-z]", 2):
                continue
            if has_unit(note, end) or has_scale(note, start):
                continue
            if score := self._worth(note, start, end):
                yield hit(self.name, Label.FECHAS, (start, end), score)

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        if follows(note, start, _TEMPORAL):
            return 0.93
        if follows(note, start, r"(?:19|20)\d{2} ?(?:-|/|y|a|hasta|al|,)(?: el)? ?") or precedes(
            note, end, r" ?(?:-|/|y|a|hasta|al|,) ?(?:19|20)\d{2}\b"
        ):
            return 0.88
        return 0.6 if follows(note, start, _WEAK) else 0.3


PATTERNS = (
    # The corpus marks the word too when it stands before the figure.
    Shape("the_year", Label.FECHAS, rf"(?i)\b(anos? (?:de )?(?:{YEAR}|{SPELT_YEAR}))\b", score=0.94),
    Shape(
        "spelt_year",
        Label.FECHAS,
        rf"(?i)\b(?:en|desde|hasta|del|de) ({SPELT_YEAR})\b",
        score=0.6,
        cue=r"en|desde|hasta",
    ),
    Shape("short_year", Label.FECHAS, r"(?i)\b(?:el|del|en) (ano '?\d{2})\b", score=0.75),
    Shape(
        "school_year",
        Label.FECHAS,
        r"(?i)\b(?:curso|temporada|campana|periodo) ((?:19|20)\d{2}[/-]\d{2,4})\b",
        score=0.9,
    ),
    Shape("eighties", Label.FECHAS, r"(?i)\ben los ('?[2-9]0)(?:[,.;)]|\z)", score=0.6),
    Year(),
)
