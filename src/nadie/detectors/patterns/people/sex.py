"""The sex of the patient: after its label, and in the words that introduce the patient."""

from __future__ import annotations

from nadie.detectors.patterns.base import ends_alone, fills_cell, follows, precedes
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
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
_HISTORY = (
    r",? (?:que |con |sin |fumador|divorciad|casad|solter|viud|jubilad|natural|diagnosticad|intervenid|"
    r"remitid|ingresad|de raza|sometid|caucasic|diabetic|hipertens|sana|sano|en )"
)


def _sex_word(note: PlainText, start: int, end: int) -> float:
    """The score of a word for a man, a woman or a child, by whether it is the subject of the note."""
    if not ends_alone(note, end):
        return 0.0
    if follows(note, start, r"\b(?:su|sus|nuestra|nuestro|pareja|hermano|hijo|hermana|hija|con la|con el) ", 12):
        return 0.15
    aged = precedes(note, end, _AGED)
    subject = follows(note, start, _SUBJECT)
    if aged:
        return 0.95 if subject else 0.8
    if (subject and precedes(note, end, _HISTORY)) or fills_cell(note, start, end):
        return 0.8
    if follows(note, start, r"\b(?:paciente|enferm[oa]|sexo|px|pte|pcte|lactante)\.?[ ,]{1,2}(?:de )?"):
        return 0.85
    return 0.3


PATTERNS = (
    ContextPattern("sex_field", Label.SEXO_SUJETO_ASISTENCIA, _FIELD, 0.98),
    ContextPattern("sex_field", Label.SEXO_SUJETO_ASISTENCIA, _AFTER_AGE, 0.85),
    ContextPattern("sex", Label.SEXO_SUJETO_ASISTENCIA, rf"(?i)\b({_WORD})\b", _sex_word),
)
