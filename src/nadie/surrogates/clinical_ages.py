"""Ages that are no person's age: gestational, bone, mental, corrected; milestones; durations; those of a plan.

They identify nobody and matter clinically, so no operator changes them.
"""

from __future__ import annotations

import re

from nadie.document import Document, Span
from nadie.spanish.folding import same_length
from nadie.spanish.word_lists import Lists

_LISTS = Lists("clinical_ages", "nadie.surrogates")

_KIND = _LISTS.pattern("kinds of age")
_PREGNANCY = r"gestacion(?:al)?|amenorrea|embarazo|embarazada|gestante|gesta|primigesta|multigesta|e\.?g\.?|fur"
_DURATION = _LISTS.pattern("durations")
_MILESTONE = _LISTS.pattern("milestones")
_JOINT = r"[\s:=(]*(?:(?:de|a|es|en|unos|unas|los|las|aproximadamente|correspondiente|equivalente)[\s:]+)*$"
_KIND_BEFORE = re.compile(
    rf"(?:\bedad\s+(?:{_KIND})(?:\s+(?:estimada|aproximada|al\s+nacimiento))?|\bmaduracion\s+osea){_JOINT}"
)
_TIME_BEFORE = re.compile(
    r"\b(?:hace|durante|cada|tras|lleva|llevaba|control|revision|cita|seguimiento|sobrevida|supervivencia|despues\s+de|a\s+lo\s+largo\s+de|ultim[oa]s|proxim[oa]s|dentro\s+de)"
    rf"{_JOINT}|\b(?:seguimiento|evolucion)\s+de\s+(?:un[oa]s\s+)?$"
)
_PLANNED_BEFORE = re.compile(
    rf"\b(?:{_LISTS.pattern('plans')})\s+(?:a|hasta|desde|antes\s+de|a\s+partir\s+de)\s+(?:los|las)\s+$"
)
_MILESTONE_BEFORE = re.compile(rf"\b(?:{_MILESTONE})[\s:,(]*(?:(?:hasta|desde|con)\s+)?{_JOINT}")
_PERSON_BEFORE = re.compile(
    r"\b(?:paciente|pcte|varon|mujer|hombre|senora?|nin[oa]|joven|adolescente|adult[oa]|ancian[oa]|enferm[oa]|edad|"
    r"fumador[a]?|embarazada|gestante|primigesta|chic[oa])\W+(?:de\W+)?$"
)
_TIME_AFTER = re.compile(
    rf"(?:\s+(?:meses|mes|dias|semanas))?\s+(?:de|desde|tras)\s+(?:la\s+|su\s+)?(?:{_DURATION})\b|\s+(?:antes|despues|atras|previos|mas\s+tarde)\b"
)
_PREGNANCY_BEFORE = re.compile(rf"\b(?:{_PREGNANCY})\b[^.;\n]{{0,30}}$")
_BORN_BEFORE = re.compile(
    r"\b(?:prematur[oa]|pretermino|a\s+termino|rnt|rnpt|rnat|rn|recien\s+nacid[oa]|feto)\b[^.;\n]{0,30}$"
)
_PREGNANCY_AFTER = re.compile(rf"\s?\+\s?\d|[\s)]*(?:de\s+)?(?:{_PREGNANCY})\b")
_WEEKS = re.compile(r"\D*(?:\d|[1-3]\d|4[0-4])\s*(?:\+\s?\d\s*)?(?:semanas?|sem|s)\b.*")
_TERM = re.compile(r"\D*(?:2[2-9]|3\d|4[0-4])\D.*")
_REACH = 50


def is_clinical(document: Document, span: Span) -> bool:
    """Whether the span is a finding or a duration, by the words around it and in it.

    In doubt it counts as a person's age, which must not be kept by mistake.
    """
    before = same_length(document.text[max(0, span.start - _REACH) : span.start])
    value = same_length(document.text_of(span))
    after = same_length(document.text[span.end : span.end + _REACH])
    if _KIND_BEFORE.search(before) or _MILESTONE_BEFORE.search(before) or re.search(rf"\bedad\s+(?:{_KIND})\b", value):
        return True
    if _WEEKS.fullmatch(value) and _is_gestation(before, value, after):
        return True
    if _PERSON_BEFORE.search(before):
        return False
    if _PLANNED_BEFORE.search(before):
        return True
    is_duration = re.search(rf"\bde\s+(?:{_DURATION})\b", value) is not None
    return is_duration or _TIME_BEFORE.search(before) is not None or _TIME_AFTER.match(after) is not None


def _is_gestation(before: str, value: str, after: str) -> bool:
    """Whether weeks count a pregnancy. After a birth, 22 or more do: ages are not given in weeks for so long."""
    is_pregnancy = _PREGNANCY_BEFORE.search(before) or _PREGNANCY_AFTER.match(after)
    is_born = _TERM.fullmatch(value) and _BORN_BEFORE.search(before)
    return bool(is_pregnancy or is_born or re.search(rf"\b(?:{_PREGNANCY})\b", value))
