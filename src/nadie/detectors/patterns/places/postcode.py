"""Postcodes: after their label, or between a street and a town."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes, stands_alone
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.scanning import compiled
from nadie.detectors.patterns.shape import Shape
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.tables import alternatives, words


@dataclass(frozen=True)
class Postcode:
    """Five digits of a Spanish or Mexican postcode with a town after them."""

    name: str = "postcode"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b((?:E ?-? ?|e-)?(\d{5}))\b"):
            start, end = match.span(1)
            if stands_alone(note, start, end) and (
                score := self._worth(note, start, end, note.plain[match.start(2) : end])
            ):
                yield hit(self.name, Label.TERRITORIO, (start, end), score)

    def _worth(self, note: PlainText, start: int, end: int, code: str) -> float:
        if end - start > 5:
            return 0.93
        town = compiled(r"\A(?:[ ,-]|\) ?){1,3}[A-Z][A-Za-z']{2}").search(note.raw[end : end + 8]) is not None
        town = town or precedes(note, end, rf"\. {alternatives(words('places'))}\b", 40)
        if note.casing(start) == "lower":
            town = precedes(note, end, r"[ ,-]{1,3}[a-z']{4}")
        spain = 1 <= int(code[:2]) <= 52
        if town and follows(note, start, r"[a-z0-9ºª)][ ,.;()-]{1,4}", 6):
            return 0.9 if spain else 0.75
        if town and follows(note, start, r"(?:\A|\n|[,.;(]) {0,3}", 6):
            return 0.85 if spain else 0.6
        return 0.25


PATTERNS = (
    Field(
        "postcode_cued",
        Label.TERRITORIO,
        r"c\.? ?p\.?|cod(?:igo)?\.? ?(?:postal|post\.?)|c\. postal|zip|apartado postal",
        r"(?:e-? ?)?\d{4,7}|[a-z]\d{3,4}(?:[a-z]{3})?",
        score=0.97,
    ),
    # Argentina's eight characters.
    Shape("postcode_argentina", Label.TERRITORIO, r"\b([A-HJ-NP-Z]\d{4}[A-Z]{3})\b", score=0.85),
    Postcode(),
)
