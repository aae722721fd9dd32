"""Numbers of health professionals: licences and employee numbers."""

from __future__ import annotations

import re

from nadie.detectors.patterns.base import stands_alone
from nadie.detectors.patterns.field import Field
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("care", "nadie.detectors.patterns")

_ID = Label.ID_TITULACION_PERSONAL_SANITARIO


def _collegiate(note: PlainText, start: int, end: int) -> float:
    """The score of a Spanish number without a cue: two codes of provinces, mostly the same, and digits."""
    first, second, last = re.findall(r"\d+", note.plain[start:end])
    if not stands_alone(note, start, end) or not 1 <= int(first) <= 52:
        return 0.0
    if len(last) == 4 and last.startswith(("19", "20")):
        return 0.0
    return 0.85 if first == second else 0.4


PATTERNS = (
    Field(
        "collegiate",
        _ID,
        (
            r"n(?:º|o|um|umero|\.º|\.)?\.? ?(?:de )?col(?:egiad[oa]|egiacion|eg|)\.?(?:/a)?|"
            r"colegiad[oa](?:/a)?|coleg\.?|ncol|col\.(?: n)?|cole?g?\.? ?n"
        ),
        (
            r"\d{2} ?[ /-] ?\d{2} ?[ /-] {0,2}\d{3,6}|\d{2} ?[ /-] ?\d{4,6}|\d{2,3}\.\d{3,6}|"
            r"\d{2} \d{2}\b|\d{3,10}(?:[/-]\d{1,5})?"
        ),
        score=0.97,
    ),
    ContextPattern("collegiate_form", _ID, r"\b(\d{2} ?[ /-] ?\d{2} ?[ /-] {0,2}\d{4,6})\b", _collegiate),
    Field(
        "licence",
        _ID,
        _WORDS.pattern("licences"),
        r"(?:[a-z]{1,2}[-/ ])?\d{1,8}(?:[-/.]\d{1,7}){0,2}",
        score=0.9,
        digits=4,
    ),
    Field(
        "employee",
        Label.ID_EMPLEO_PERSONAL_SANITARIO,
        r"(?:n(?:º|o|ro|um|umero)?\.? ?(?:de )?)?(?:emplead[oa]|trabajador(?:a)?|funcionari[oa]|"
        r"personal|legajo (?:de )?(?:personal|emplead[oa]|medico|profesional)|"
        r"nomina|usuario|matricula de emplead[oa])(?: (?:n(?:º|o|um)?|id|codigo)\.?)?|cod(?:igo|"
        r"\.)? ?(?:de )?(?:emplead[oa]|facultativo|profesional|medico)|cias|npi",
        r"[a-z]{0,3}[-/]?\d{3,10}[a-z]?",
        score=0.9,
    ),
)
