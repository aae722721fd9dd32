"""Numbers and codes without a cue.

In a list or a table, a long number alone in its cell is an identifier, most often the patient's. In running text it may
be anything, and has a low score.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import digits_of, fills_cell, follows, pattern_span, stands_alone
from nadie.detectors.patterns.measures import has_unit, is_count
from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.document import Span
from nadie.labels import Label

_CODE = r"\b((?:[A-Z]{1,4}-?)?\d{3,12}(?:[-/.]\d{1,8}){0,3}(?:-[A-Za-z])?)\b"
# A code has four digits together somewhere, and is no range of years.
_LONG, _YEARS = r"\d{4}", r"\A(?:19|20)\d{2}[-/](?:19|20)?\d{2}\z"
_NAMED = r"[a-z]{3}(?:,| -| \|) ?"


@dataclass(frozen=True)
class BareNumber:
    """A code of at least five digits without a label."""

    name: str = "bare_number"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(_CODE):
            start, end = match.span(1)
            digits = len(digits_of(note.plain[start:end]))
            if not 5 <= digits <= 20 or not stands_alone(note, start, end) or has_unit(note, end):
                continue
            if not compiled(_LONG).search(note.raw[start:end]) or compiled(_YEARS).search(note.raw[start:end]):
                continue
            if not is_count(note, start) and (score := self._score(note, start, end, digits)):
                cell = score > 0.55 or fills_cell(note, start, end)
                label = Label.ID_SUJETO_ASISTENCIA if cell else Label.OTRO_NUMERO_IDENTIF
                yield pattern_span("cell_number" if cell else self.name, label, (start, end), score)

    def _score(self, note: PlainText, start: int, end: int, digits: int) -> float:
        if fills_cell(note, start, end):
            return 0.75 if digits > 5 else 0.6
        if digits > 5 and follows(note, start, _NAMED, 6) and note.plain[end : end + 1] in (",", ".", " "):
            return 0.55
        if note.plain[start].isalpha():
            return 0.55
        return 0.5 if digits > 6 else 0.35 if digits == 6 else 0.0


PATTERNS = (BareNumber(),)
