"""Hospitals, health centres and other institutions: the word for the kind, and the name after it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, pattern_span, precedes
from nadie.detectors.patterns.places.institution_names import institution_end, proper_words
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.tables import alternatives, words
from nadie.spanish.word_lists import Lists

_WORDS = Lists("places", "nadie.detectors.patterns")

_HOSPITAL = _WORDS.pattern("hospitals")
_ACRONYM = rf"\b({_WORDS.pattern('acronyms of hospitals')})\b"
# Kinds of ward and of care, which are no names.
_GENERIC = rf" {_WORDS.pattern('wards and care')}"
# `H.` is a hospital before the rest of its name, else a genus of bacteria.
_AFTER_H = (
    r" (?:universitari|general|clinic|central|regional|provincial|comarcal|militar|nacional|materno|infantil|medico|"
    r"de (?:la |el |los |las )?(?-i:[A-Z])|del |la (?-i:[A-Z])|san |santa |virgen |ntra|nuestra |dr)"
)
_CLINICAL = rf"\b{_WORDS.pattern('before adjectives of clinics')} "
_CENTRE = _WORDS.pattern("health centres")
_INSTITUTION = _WORDS.pattern("institutions")


@dataclass(frozen=True)
class Hospital:
    """`Hospital Universitario La Paz`, `Clínica del Rosario`, `HU 12 de Octubre`."""

    name: str = "hospital"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_HOSPITAL})"):
            start, end = match.span(1)
            if not self._is_one(note, start, end):
                continue
            if "fundacion" in note.plain[start:end].lower():
                yield pattern_span(self.name, Label.HOSPITAL, (start, end + (note.plain[end : end + 1] == '"')), 0.9)
                continue
            stop = institution_end(note, end + 1)
            if stop > end + 1 and self._is_named(note, start, end + 1, stop):
                yield pattern_span(self.name, Label.HOSPITAL, (start, stop), self._score(note, start))

    def _is_one(self, note: PlainText, start: int, end: int) -> bool:
        if note.plain[start:end].strip(".") in ("H", "h") and not precedes(note, end, _AFTER_H):
            return False
        if precedes(note, end, _GENERIC) or note.plain[end : end + 1] not in (" ", "\n", '"', ".", ","):
            return False
        if note.plain[start : start + 6].lower() != "clinic":
            return True
        return note.casing(start) != "mixed" or (note.plain[start].isupper() and not follows(note, start, _CLINICAL))

    def _is_named(self, note: PlainText, start: int, at: int, stop: int) -> bool:
        """Whether a name follows, with a capital, or in text without mixed case with a word of its own.

        `El hospital comarcal` has none.
        """
        if note.casing(start) == "mixed":
            return any(c.isupper() for c in note.plain[at:stop])
        return bool(proper_words(note.plain[at:stop]))

    def _score(self, note: PlainText, start: int) -> float:
        casing = note.casing(start)
        if casing == "lower":
            return 0.6
        return 0.8 if casing == "upper" else 0.93 if note.plain[start].isupper() else 0.75


@dataclass(frozen=True)
class HealthCentre:
    """`Centro de Salud Las Flores`, `CESFAM Los Álamos`, `UMF 23`."""

    name: str = "health_centre"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?:^|\b)({_CENTRE})(?: (?i:no?\.?º?|numero|#))? {{1,2}}"):
            stop = institution_end(note, match.end(), limit=6)
            if stop > match.end():
                short = match.end(1) - match.start(1) < 7
                yield pattern_span(
                    self.name, Label.CENTRO_SALUD, (match.start(1), stop), self._score(note, match.start(1), short)
                )

    def _score(self, note: PlainText, start: int, short: bool) -> float:
        casing = note.casing(start)
        if casing == "mixed":
            return 0.75 if short else 0.92
        return 0.45 if short else 0.65


@dataclass(frozen=True)
class Institution:
    """`Universidad de Granada`, `Residencia Los Tilos`."""

    name: str = "institution"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_INSTITUTION}) {{1,2}}"):
            start, at = match.start(1), match.end()
            if note.casing(start) == "lower":
                continue
            stop = institution_end(note, at)
            if stop > at and any(c.isupper() for c in note.plain[at:stop]):
                yield pattern_span(
                    self.name, Label.INSTITUCION, (start, stop), 0.8 if note.plain[start].isupper() else 0.65
                )


def _public_body(note: PlainText, start: int, _: int) -> float:
    return 0.7 if note.casing(start) != "mixed" or note.plain[start].isupper() else 0.0


PATTERNS = (
    Hospital(),
    ContextPattern("hospital_acronym", Label.HOSPITAL, _ACRONYM, 0.85),
    HealthCentre(),
    Institution(),
    ContextPattern(
        "institution_known", Label.INSTITUCION, rf"(?i)\b({alternatives(words('public_bodies'))})\b", _public_body
    ),
)
