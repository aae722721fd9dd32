"""Population groups, religions, marital states and sexual orientations, which the guidelines count as identifiers."""

from __future__ import annotations

from nadie.detectors.patterns.base import follows, precedes
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.tables import alternatives, known_peoples

_PERSON = (
    r"\b(?:paciente|varon|mujer|hombre|nin[oa]|joven|enferm[oa]|masculin[oa]|femenin[oa]|lactante|anos|"
    r"ancian[oa]|senora?|origen|nacionalidad|etnia|ascendencia|"
    r"ciudadan[oa])[ ,:]{1,3}(?:de edad,? )?(?:de (?:origen|nacionalidad|etnia|religion) )?"
)
_STATE = (
    r"\b(?:e(?:st(?:ado)?|do)?\.? civil[ .]{0,2}[:;|-]? {0,4}|anos(?: de edad)?,? |paciente |varon |mujer |"
    r"[a-z]{5,14}[oa], )"
)
_MARITAL = r"(?i)\b(casad[oa]|solter[oa]|viud[oa]|divorciad[oa]|separad[oa])\b"
_ORIENTATION = r"(?i)\b(homosexual|heterosexual|bisexual|transexual|transgenero)\b"
_ID = Label.ID_SUJETO_ASISTENCIA


def _people(note: PlainText, start: int, end: int) -> float:
    if follows(note, start, r"\braza |\betnia "):
        return 0.0
    return 0.75 if follows(note, start, _PERSON) or precedes(note, end, r" de \d{1,2} anos") else 0.0


PATTERNS = (
    ContextPattern("group", _ID, r"(?i)\b((?:raza|etnia) [a-z]{4,16})\b", 0.75),
    ContextPattern("group", _ID, rf"(?i)\b({alternatives(known_peoples(tables.PATTERNS))})\b", _people),
    ContextPattern("marital_state", _ID, _MARITAL, lambda note, start, _: 0.6 * follows(note, start, _STATE)),
    ContextPattern("orientation", _ID, _ORIENTATION, 0.6),
)
