"""Years that are part of the name of a classification or a guideline, and no date of the patient."""

from __future__ import annotations

import re

_YEAR = re.compile(r"(?:19|20)\d\d")
_REACH = 40
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
