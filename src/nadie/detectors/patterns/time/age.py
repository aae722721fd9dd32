"""Ages in figures and words, in years, months, weeks, days and hours, and words such as `octogenaria`.

`10 años` is a duration as often as an age. The context decides: a person before it and `de edad` after it mean an
age, `hace` and `de evolución` for a duration. The age of a relative is labelled as the relative is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, ends_alone, fills_cell, follows, pattern_span, precedes
from nadie.detectors.patterns.people.relative import KIN
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.detectors.patterns.time.calendar import COUNT
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("time", "nadie.detectors.patterns")

_FIGURE = rf"(?:\d{{1,3}}(?:[.,]5)?|{COUNT})"
_YEARS = rf"{_FIGURE} {{0,2}}(?:anos?|anios?|aos|ans|anitos)"
_SMALL = r"(?:meses|mes|semanas?|dias?|horas?)"
_MORE = rf"(?: y {_FIGURE} (?:meses|mes|semanas?|dias?)| y medio| {_FIGURE} (?:meses|mes))"
_PERSON = _WORDS.pattern("persons")
_NOT_BEFORE = rf"\b{_WORDS.pattern('before durations')}(?: los| las| unos| unas)? {{1,2}}"
_NOT_AFTER = rf" (?:de {_WORDS.pattern('after durations with de')}|{_WORDS.pattern('after durations')})"
_UNIT = r"(?: {0,2}(?:anos?|anios?|a|aa|meses|mes|m|semanas?|sem|s|dias?|d|horas?)\b\.?)?"
_WHO = r"(?:varon|mujer|hombre|femenin[oa]|masculin[oa]|paciente|pcte|pte|pac|px|nin[oa]|masc|fem)\b\.?"
_SEX = r"(?:[mfhv]|masc|fem|varon|mujer|hombre|masculin[oa]|femenin[oa])\b"
_TELEGRAPHIC = {
    (
        r"(?i)\b(?:edad|edat|adina|idade|ed\.)(?: (?:actual|cronologica|"
        rf"del paciente))?(?: \(anos\))?{SEPARATOR}(\d{{1,3}}{_UNIT}|{COUNT}{_UNIT})"
    ): 0.98,
    rf"(?i)\b{_WHO}[ ,:]{{1,3}}(?:de )?(\d{{1,3}} ?(?:a|aa|anos|yo|y/o)\b\.?)": 0.93,
    (
        r"(?i)\b(?:varon|mujer|hombre|femenin[oa]|masculin[oa]|"
        r"paciente de)\b[ ,:]{1,3}(?:de )?(\d{2,3})(?:[,;.]|\z| [a-z]{4})"
    ): 0.75,
    r"(?i)\b(\d{1,2} ?a(?:nos)?(?: y)? \d{1,2} ?m(?:eses)?)\b": 0.9,
    rf"(?i)\b{_PERSON} (?:de )?(\d{{1,2}} ?m)\b": 0.8,
    r"\x03 ?(\d{1,3} ?a(?:nos)?)\b": 0.8,
    r"(?i)\bedad (?:al |de |en )[a-z ]{3,20}: ?(\d{1,3} anos)": 0.85,
    r"(?i)\b(?:a|con) sus (\d{1,3} anos)": 0.9,
    r"(?i)\bde unos (\d{1,3} anos)\b(?: de edad|,|\.|;)": 0.75,
    r"\b[MFHV] ?/ ?(\d{2})\b": 0.6,
    r"\b(\d{2}) ?/ ?[MFHV]\b": 0.6,
    rf"(?i)\b(\d{{1,3}} ?a(?:nos)?\b\.?)[ ,]{{1,2}}{_SEX}": 0.9,
    r"\b[MFHV] (\d{1,3} ?a\b\.?)": 0.85,
    rf"(?i)[|;,\n] {{0,3}}(\d{{1,3}}) {{0,3}}[|;,\n] {{0,3}}{_SEX}": 0.75,
    r"[a-z]{2}[.,]? (\d{1,3} ?a)(?:\. |[,:;|)]|\n|\z)": 0.65,
    r"[a-z]{2}, de (\d{1,2} (?:dias|semanas|meses))(?:,|\.| que)": 0.75,
    r"(?i)\b(?:a los|entre|desde los) (\d{1,2}) (?:y|a|o|e|a los|y los) \d{1,2} anos": 0.75,
}
_AGE_WORD = (
    r"(?i)\b((?:veinte|treinta|cuarenta|cincuenta)an[ei]r[oa]|(?:cuadra|quincua|sexa|septua|octo|"
    r"nona|cente)genari[oa])s?\b"
)


@dataclass(frozen=True)
class Years:
    """`70 años`, `tres años y medio`, of the patient or of a relative."""

    name: str = "age_years"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_YEARS}{_MORE}?)\b"):
            start, end = match.span(1)
            if not follows(note, start, r"\d[.,/-]|[a-z]-", 2):
                relative = _is_relative(note, start)
                label = Label.FAMILIARES_SUJETO_ASISTENCIA if relative else Label.EDAD_SUJETO_ASISTENCIA
                yield pattern_span(self.name, label, (start, end), _years(note, start, end))


def _years(note: PlainText, start: int, end: int) -> float:
    if precedes(note, end, r" (?:de edad|de vida|cumplidos|de nacid)"):
        return 0.97
    if follows(note, start, rf"\b{_PERSON}(?:,? [a-z]{{3,14}}){{0,2}},? de "):
        return 0.97
    if follows(note, start, _NOT_BEFORE) or precedes(note, end, _NOT_AFTER) or follows(note, start, r"\blleva "):
        return 0.1
    if follows(note, start, rf"\bedad[ :]{{1,3}}(?:de )?|\b{_PERSON}\b[^.;\n]{{0,40}}?,? (?:de |con )?", 64):
        return 0.97
    if follows(
        note, start, r"\b(?:a la edad de|a los|desde los|hasta los|tiene|cumple|cumplio|contaba|teniendo) "
    ) and not precedes(note, end, r" (?:de |del )"):
        return 0.85
    if follows(note, start, r"\bde "):
        return 0.85
    if fills_cell(note, start, end):
        return 0.8
    alone = follows(note, start, r"[,(|] ?|\n|\A", 2) and precedes(note, end, r"[,;.)|]| con | que | sin |\n|\z")
    return 0.75 if alone else 0.4


def _small_units(note: PlainText, start: int, end: int) -> float:
    """The score of months, weeks, days and hours: an age of a small child, or before `de edad`, `de vida`."""
    if precedes(note, end, _NOT_AFTER) and not precedes(note, end, r" con "):
        return 0.0
    if precedes(note, end, r" (?:de edad|de vida|de nacid)"):
        return 0.93
    person = rf"\b{_PERSON}(?: [a-z]{{2,12}}\.?)?,? (?:de |con )?(?:solo |apenas )?"
    return 0.9 if follows(note, start, person) or follows(note, start, r"\bedad ?[:=]? ?(?:de )?") else 0.0


@dataclass(frozen=True)
class CuedAge:
    """A figure after `Edad`, or after a person in telegraphic style: `Varón 68`, `Pte. 70a`, `F/45`, `73a h`."""

    name: str = "age_cued"

    def find(self, note: PlainText) -> Iterator[Span]:
        for regex, score in _TELEGRAPHIC.items():
            for match in note.scan(regex):
                start, end = match.span(1)
                if note.plain[end - 1] == ".":
                    end -= 1
                if ends_alone(note, end) and not precedes(note, end, r"[.,/]\d| ?%"):
                    yield pattern_span(self.name, Label.EDAD_SUJETO_ASISTENCIA, (start, end), score)


def _is_relative(note: PlainText, start: int) -> bool:
    return follows(note, start, rf"\b{KIN}(?:,? [a-z]{{3,12}}){{0,2}}(?: de| a los|,| con)? \(?", 48) or follows(
        note, start, rf"\b{KIN} [a-z]{{3,12}} \(", 32
    )


PATTERNS = (
    Years(),
    ContextPattern(
        "age_small",
        Label.EDAD_SUJETO_ASISTENCIA,
        rf"(?i)\b({_FIGURE} {_SMALL}(?: y {_FIGURE} {_SMALL}| y medio)?)\b",
        _small_units,
    ),
    CuedAge(),
    ContextPattern("age_word", Label.EDAD_SUJETO_ASISTENCIA, _AGE_WORD, 0.7),
)
