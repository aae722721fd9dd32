"""Ages that are findings and not of a person: gestational, bone, mental and corrected age, and durations.

They identify nobody, and medicine is in them, so no operator that writes an age changes them.
"""

from __future__ import annotations

import re

from nadie.document import Document, Span
from nadie.spanish.folding import same_length

_KIND = (
    r"gestacional|gest|osea|mental|corregida|biologica|vascular|cardiaca|cardiovascular|pulmonar|cerebral|funcional|"
    r"madurativa|evolutiva|estatural|metabolica|cognitiva|equivalente|ecografica|post-?menstrual|post-?concepcional|"
    r"dental|lectora|de desarrollo"
)
_FINDING = r"gestacion|amenorrea|embarazo|e\.?g\b|edad (?:gestacional|osea|mental|corregida)"
_DURATION = (
    r"evolucion|seguimiento|duracion|antiguedad|tratamiento|supervivencia|tabaquismo|consumo|historia|diagnostico|"
    r"experiencia|control|hemodialisis|dialisis|estancia|ingreso|progresion|curso|retraso|abstinencia|matrimonio|"
    r"residencia|postoperatorio|post|reposo|exposicion|remision|trasplante|antibiotico|quimioterapia|cotizacion"
)
_BEFORE = re.compile(
    rf"(?:\bedad\s+(?:{_KIND})(?:\s+(?:estimada|aproximada|al\s+nacimiento))?|\bmaduracion\s+osea|\bgestacion|\bembarazo|"
    r"\bgestante|\bembarazada|\bgesta|\be\.?g\.?|\bfur|\bdesde\s+hace|\bhace|\bdurante|\bcada|\btras|\bdespues\s+de|"
    r"\ba\s+lo\s+largo\s+de|\bultimos|\bultimas|\bproximos|\bproximas|\bdentro\s+de|\bseguimiento|\bevolucion)"
    r"[\s:=(]*(?:(?:de|a|es|en|unos|unas|los|las|aproximadamente|la|paciente|correspondiente|equivalente)[\s:]+)*$"
)
_AFTER = re.compile(
    rf"[\s)]*(?:\+\s?\d\s*(?:dias?)?\s*)?(?:(?:de|del?|la|su|en)\s+)*(?:{_FINDING}|{_DURATION})\b|\s*(?:antes|despues|atras|previos|mas\s+tarde)\b"
    r"|\s?\+\s?\d"
)
_NEWBORN = re.compile(
    r"(?:prematur[oa]|pretermino|a\s+termino|rnt|rnpt|rnat|\brn|recien\s+nacid[oa]|feto)\W+(?:(?:de|a|termino|pretermino|"
    r"con|edad)\W+)*$"
)
_WEEKS = re.compile(r"\D*(?:2[2-9]|3\d|4[0-4])\s*(?:\+\s?\d\s*)?(?:semanas|sem|s)\b")
_REACH = 50


def is_clinical(document: Document, span: Span) -> bool:
    """Whether what the span tells is a finding or a duration, by the words around it and in it."""
    before = same_length(document.text[max(0, span.start - _REACH) : span.start])
    value = same_length(document.text_of(span))
    after = same_length(document.text[span.end : span.end + _REACH])
    if _BEFORE.search(before) or _AFTER.match(after):
        return True
    if re.search(rf"\b(?:{_FINDING})\b|\bedad\s+(?:{_KIND})\b|\bde\s+(?:{_DURATION})\b", value):
        return True
    return _WEEKS.fullmatch(value) is not None and _NEWBORN.search(before) is not None
