"""Hospitals and clinics: the word, and the name that runs on from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.places.institutions import institution_end, proper_words
from nadie.document import Span
from nadie.labels import Label

_KIND = (
    r"(?:hospital|hopital|ospital|clinica|clinic|sanatorio|policlinic[oa]|nosocomio|maternidad|centro hospitalario|"
    r"complejo (?:hospitalario|asistencial)|complexo hospitalario|consorcio hospital|hosp\.|h\. ?u\.|"
    r"hu|hgu|hcu|h\.|(?-i:H)|ciudad hospitalaria|"
    r"instituto nacional de (?:cancerologia|cardiologia|pediatria|neurologia|perinatologia|nutricion|ciencias medicas)|"
    r"centro medico nacional|fundacion \"?(?:jimenez diaz|alcorcon|cardioinfantil|valle del lili|santa fe|favaloro))"
)
_ACRONYM = (
    r"\b(HULP|HU12O|H12O|HUVR|HUVH|HGUGM|HGUA|HUCA|HURYC|HCSC|HUPHM|HUF|HUFA|HUIL|HUG|HUM|HUD|HUB|"
    r"HUSD|HUSE|HUMV|CHUS|CHUAC|"
    r"CHUVI|CHUO|CHN|HCUV|HURH|HUNSC|HUGCDN|HCDGU|HSJD|CUN|INCMNSZ|HIMFG|CMN ?SXXI)\b"
)
# Kinds of ward and of care, not names.
_GENERIC = (
    r" (?:dental|medica\b|de dia\b|a domicilio|domiciliaria|de referencia|de origen|de procedencia|de zona|de agudos|"
    r"de tercer|de segundo|"
    r"de alta complejidad|de nivel)"
)
# `H.` is a hospital before the rest of its name, and a genus of bacteria before anything else.
_AFTER_H = (
    r" (?:universitari|general|clinic|central|regional|provincial|comarcal|militar|nacional|materno|infantil|medico|"
    r"de (?:la |el |los |las )?(?-i:[A-Z])|del |la (?-i:[A-Z])|san |santa |virgen |ntra|nuestra |dr)"
)
_CLINICAL = (
    r"\b(?:historia|exploracion|evolucion|la|sospecha|situacion|mejoria|presentacion|via|practica|"
    r"guia|inicio|relevancia|"
    r"valoracion|nutricion|bioquimica|microbiologia|neurofisiologia|farmacologia|psicologia|genetica|"
    r"unidad|oncologia|y) "
)


@dataclass(frozen=True)
class Hospital:
    """`Hospital Universitario La Paz`, `Clínica del Rosario`, `HU 12 de Octubre`."""

    name: str = "hospital"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_KIND})"):
            start, end = match.span(1)
            if not self._is_one(note, start, end):
                continue
            if "fundacion" in note.plain[start:end].lower():
                yield hit(self.name, Label.HOSPITAL, (start, end + (note.plain[end : end + 1] == '"')), 0.9)
                continue
            stop = institution_end(note, end + 1)
            if stop > end + 1 and self._is_named(note, start, end + 1, stop):
                yield hit(self.name, Label.HOSPITAL, (start, stop), self._worth(note, start))
        for match in note.scan(_ACRONYM):
            yield hit("hospital_acronym", Label.HOSPITAL, match.span(1), 0.85)

    def _is_one(self, note: PlainText, start: int, end: int) -> bool:
        if note.plain[start:end].strip(".") in ("H", "h") and not precedes(note, end, _AFTER_H):
            return False
        if precedes(note, end, _GENERIC) or note.plain[end : end + 1] not in (" ", "\n", '"', ".", ","):
            return False
        if note.plain[start : start + 6].lower() != "clinic":
            return True
        return note.casing(start) != "mixed" or (note.plain[start].isupper() and not follows(note, start, _CLINICAL))

    def _is_named(self, note: PlainText, start: int, at: int, stop: int) -> bool:
        """`El hospital comarcal` is none: a capital has to follow, or, where case tells nothing, a word of its own."""
        if note.casing(start) == "mixed":
            return any(c.isupper() for c in note.plain[at:stop])
        return bool(proper_words(note.plain[at:stop]))

    def _worth(self, note: PlainText, start: int) -> float:
        casing = note.casing(start)
        if casing == "lower":
            return 0.6
        return 0.8 if casing == "upper" else 0.93 if note.plain[start].isupper() else 0.75


PATTERNS = (Hospital(),)
