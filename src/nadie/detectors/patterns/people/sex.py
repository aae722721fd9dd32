"""The sex of the patient: after its label, and where a note begins to tell of somebody."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import ends_alone, follows, hit, precedes
from nadie.detectors.patterns.cells import fills_cell
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
from nadie.labels import Label

_WORD = r"(?:varon|mujer|hombre|nin[oa]|masculin[oa]|femenin[oa]|ancian[oa]|chic[oa]|muchach[oa]|masc|fem)"
_FIELD = (
    r"(?i)\b(?:sexo|genero|sexe?|sx)(?:/genero)?(?: (?:biologico|"
    r"del paciente))?[ .]{0,2}[*\])>]{0,3} ?[:;=|(-]?-?[ |*]{0,8}\n?"
    r"(masculin[oa]|femenin[oa]|hombre|varon|mujer|macho|hembra|masc|fem|nin[oa]|transexual|"
    r"intersexual|no binario|[mhvf])\b"
)
_SUBJECT = (
    r"(?:\A|[.:;\n]|\bpaciente|\benferm[oa]|\btrata de(?: una?| un)?|\bpte\.?|\bsexo|\badolescente|"
    r"\blactante|\b(?:recien nacid|nacid)[oa]|\buna?|\bpac\.?|\binforme|\bclinico|"
    r"\bjoven)[ ,]{0,3}(?:de )?"
)
_AGED = r",? (?:[a-z]{3,16},? ){0,3}(?:de |con )?(?:\d{1,3}|[a-z]{2,12}) ?(?:anos?|a\b|meses|mes|dias)|,? \d{1,3} ?a\b"
_AFTER_AGE = (
    r"(?i)\b\d{1,3} ?(?:a(?:nos)?|meses|m|d|dias|s|semanas)\b\.?(?: de edad)?[ ,|;]{1,4}(?:de sexo )?"
    r"([mfhv]|masc|fem|varon|mujer|hombre|masculin[oa]|femenin[oa]|nin[oa])\b(?: ?[-.,;:|)\n]|\z)"
)
_TOLD = (
    r",? (?:que |con |sin |fumador|divorciad|casad|solter|viud|jubilad|natural|diagnosticad|intervenid|"
    r"remitid|ingresad|de raza|sometid|caucasic|diabetic|hipertens|sana|sano|en )"
)


@dataclass(frozen=True)
class Sex:
    """A word for a man, a woman or a child that is the subject of the note."""

    name: str = "sex"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(_FIELD):
            yield hit("sex_field", Label.SEXO_SUJETO_ASISTENCIA, match.span(1), 0.98)
        for match in note.scan(_AFTER_AGE):
            yield hit("sex_field", Label.SEXO_SUJETO_ASISTENCIA, match.span(1), 0.85)
        for match in note.scan(rf"(?i)\b({_WORD})\b"):
            start, end = match.span(1)
            if ends_alone(note, end) and (score := self._worth(note, start, end)):
                yield hit(self.name, Label.SEXO_SUJETO_ASISTENCIA, (start, end), score)

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        if follows(note, start, r"\b(?:su|sus|nuestra|nuestro|pareja|hermano|hijo|hermana|hija|con la|con el) ", 12):
            return 0.15
        aged = precedes(note, end, _AGED)
        subject = follows(note, start, _SUBJECT)
        if aged:
            return 0.95 if subject else 0.8
        if (subject and precedes(note, end, _TOLD)) or fills_cell(note, start, end):
            return 0.8
        if follows(note, start, r"\b(?:paciente|enferm[oa]|sexo|px|pte|pcte|lactante)\.?[ ,]{1,2}(?:de )?"):
            return 0.85
        return 0.3


PATTERNS = (Sex(),)
