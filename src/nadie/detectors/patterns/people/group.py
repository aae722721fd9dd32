"""Population groups, religions and sexual orientations of the patient, which the guidelines count as identifiers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
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


@dataclass(frozen=True)
class Group:
    """`raza negra`, `de nacionalidad peruana`, `varón homosexual`."""

    name: str = "group"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"(?i)\b((?:raza|etnia) [a-z]{4,16})\b"):
            yield hit(self.name, Label.ID_SUJETO_ASISTENCIA, match.span(1), 0.75)
        for match in note.scan(rf"(?i)\b({alternatives(known_peoples(tables.PATTERNS))})\b"):
            if follows(note, match.start(1), r"\braza |\betnia "):
                continue
            near = follows(note, match.start(1), _PERSON)
            if near or precedes(note, match.end(1), r" de \d{1,2} anos"):
                yield hit(self.name, Label.ID_SUJETO_ASISTENCIA, match.span(1), 0.75)
        for match in note.scan(r"(?i)\b(casad[oa]|solter[oa]|viud[oa]|divorciad[oa]|separad[oa])\b"):
            if follows(note, match.start(1), _STATE):
                yield hit("marital_state", Label.ID_SUJETO_ASISTENCIA, match.span(1), 0.6)
        for match in note.scan(r"(?i)\b(homosexual|heterosexual|bisexual|transexual|transgenero)\b"):
            yield hit("orientation", Label.ID_SUJETO_ASISTENCIA, match.span(1), 0.6)


PATTERNS = (Group(),)
