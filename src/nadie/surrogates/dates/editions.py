"""Figures that look like a date and are none: years of classifications and guidelines, and counts of doses."""

from __future__ import annotations

import re

from nadie.spanish.folding import key_of, same_length
from nadie.spanish.word_lists import Lists

_PLACES = Lists("places", "nadie.surrogates")
_YEAR = re.compile(r"(?:19|20)\d\d")
_COUNT = re.compile(r"(\d{1,2})/(\d{1,2})")
_DOSES = re.compile(r"(?i)\b(?:dosis|ciclos?|sesi[oó]n(?:es)?|tandas?|bolos?) (\d{1,2})/(\d{1,2})(?![/\d])")
_PAIN = re.compile(r"\b(?:dolor|dor|oinaze\w*|eva|evn|ena|end)\b[^.;|\n]{0,12}$")
_REACH = 40
_TERM = re.compile(r"\b(?:clasificacion|criterios?|consenso|protocolo|escala|sistema|declaracion)(?: \w+)? de $")
# What is never of the place where somebody lives: `fiebre de Malta`, `virus del Nilo`, `hemoglobina de Lepore`.
_ILLNESS = re.compile(
    r"\b(?:fiebre(?: hemorragica)?|virus|encefalitis|boton|hemoglobina|hb|escala|score|indice|sarcoma|enfermedad) "
    r"(?:de(?:l| la| los)? )?$"
)
_EDITION = re.compile(r",? (?:19|20)\d\d\)|,? I[IV]?I?\b")
_NAMED = (
    r"ACR|EULAR|ACR/EULAR|McDonald|Viena|Montreal|Rotterdam|Ghent|Roma|Tokio|Atlanta|Berl[ií]n|S[ií]dney|Sydney|TNM|"
    r"FIGO|GOLD|GINA|GesEPOC|KDIGO|OMS|WHO|SLICC|Banff|Lugano|Bethesda|ICHD|IDSA|ATS|ERS|ESC|AHA"
)
_KINDS = r"(?:criterios|clasificaci[oó]n|gu[ií]as?|consenso)(?: (?:de|del|de la))?(?: [A-ZÁÉÍÓÚ][\w/]+)?"
_BEFORE = re.compile(rf"\b(?:{_NAMED}|{_KINDS})[ (-]{{1,2}}$")


def is_edition(text: str, start: int, end: int) -> bool:
    """Whether a range of a text is such a year: `Viena 1998`, `criterios ACR 1987`."""
    is_year = _YEAR.fullmatch(text, start, end) is not None
    return is_year and _BEFORE.search(text, max(0, start - _REACH), start) is not None


def is_count(text: str, start: int, end: int) -> bool:
    """Whether a fraction counts doses, `2/4` where the text has `dosis 1/4`, or measures pain: `dolor 4/10`."""
    count = _COUNT.fullmatch(text, start, end)
    if count is None or int(count[1]) > int(count[2]):
        return False
    if count[2] == "10" and _PAIN.search(same_length(text[max(0, start - _REACH) : start])):
        return True
    return any(match[2] == count[2] for match in _DOSES.finditer(text))


def names_classification(text: str, start: int, end: int) -> bool:
    """Whether a place names an illness, a classification or a consensus: `fiebre de Malta`, `(Viena 1998)`."""
    before = same_length(text[max(0, start - _REACH) : start])
    if _ILLNESS.search(before):
        return True
    if key_of(text[start:end]) not in _PLACES.words("of classifications"):
        return False
    return _TERM.search(before) is not None or _EDITION.match(text, end) is not None
