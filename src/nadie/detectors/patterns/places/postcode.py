"""Postcodes: after their label, or between a street and a town."""

from __future__ import annotations

from nadie.detectors.patterns.base import follows, precedes, stands_alone
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.detectors.patterns.shape import ContextPattern, Shape
from nadie.labels import Label
from nadie.spanish.tables import alternatives, words


def _postcode(note: PlainText, start: int, end: int) -> float:
    """The score of the five digits of a Spanish or Mexican postcode, by whether a town follows."""
    if not stands_alone(note, start, end):
        return 0.0
    if end - start > 5:
        return 0.93
    town = compiled(r"\A(?:[ ,-]|\) ?){1,3}[A-Z][A-Za-z']{2}").search(note.raw[end : end + 8]) is not None
    town = town or precedes(note, end, rf"\. {alternatives(words('places'))}\b", 40)
    if note.casing(start) == "lower":
        town = precedes(note, end, r"[ ,-]{1,3}[a-z']{4}")
    spain = 1 <= int(note.plain[end - 5 : end - 3]) <= 52
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
    # Argentina: eight characters.
    Shape("postcode_argentina", Label.TERRITORIO, r"\b([A-HJ-NP-Z]\d{4}[A-Z]{3})\b", score=0.85),
    ContextPattern("postcode", Label.TERRITORIO, r"\b((?:E ?-? ?|e-)?\d{5})\b", _postcode),
)
