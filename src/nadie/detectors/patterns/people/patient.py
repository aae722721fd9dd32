"""Names of the patient, after a label, a form of address, or the word `paciente`, and initials."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nadie.detectors.patterns.base import LABEL_END, follows
from nadie.detectors.patterns.people.names import NameMatch, NamePattern, name_at, names_from
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.labels import Label
from nadie.spanish.word_lists import Lists

_WORDS = Lists("people", "nadie.detectors.patterns")

_ADDRESS = r"(?:sr[a]?|srta|senora?|don|dona|dna|d\.?ª|dn|d\.)\b\.?(?:/a\b\.?)?"
_FIELD = _WORDS.pattern("fields of patients")
_OF_NAMES = ("nom", "nme", "ap", "1", "2", "primer", "segundo", "izen", "abizen", "cognom")
_NAMED_AFTER = (
    r"\b(?:hospital|clinica|calle|c/|avda?\.?|avenida|plaza|paseo|residencia|colegio|universitari[oa]|"
    r"centro|salud)(?: de| del)? "
)
_TITLE = r"(?i)\b(?:(sr[a]?s?|srta|senora?|don|dona|dna|dn)\b\.?(?:/a\.?)?|(d\.|d\.? ?ª\.?))[ ]{0,2}"
_CALLED = (
    r"(?i)\b(?:llamad[oa]|se llama|de nombre|responde al nombre de|apodad[oa]|alias|"
    r"conocid[oa] como|identificad[oa] como|a nombre de) {1,2}[\"'(]?"
)
_PERSON = r"(?:,? (?i:varon|mujer|nin[oa]|hombre|de \d|nhc|masculin|femenin|hc\b|\d{1,3} ?a)|, \d{1,3} ?a)"
_NAME = Label.NOMBRE_SUJETO_ASISTENCIA


def _after_label(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`Nombre: Rafael`, `Apellidos: Calvo Martín`, `Paciente: PÉREZ RUIZ, ANA`."""
    label = note.plain[match.start(1) : match.end(1)].lower()
    for name in names_from(note, match.end()):
        yield name, 0.97 if label.startswith(_OF_NAMES) else 0.85


def _after_title(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`Sra. Gómez`, `D. Luis Wilson`, `Doña Ana`."""
    is_letter = match.start(2) >= 0
    if follows(note, match.start(), _NAMED_AFTER):
        return
    if is_letter and follows(note, match.start(), r"[a-z]\. ?|vitamina ", 10):
        return
    if name := name_at(note, match.end()):
        mixed = note.casing(match.start()) == "mixed"
        if is_letter:
            yield name, 0.85 if mixed and name.full_words > 1 else 0.5
        else:
            yield name, 0.9 if mixed else 0.65


def _after_patient(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`la paciente Norton`."""
    if note.casing(match.start()) == "mixed" and (name := name_at(note, match.end(), title_case=True)):
        yield name, 0.85 if name.full_words > 1 else 0.6


def _after_called(note: PlainText, match: Any) -> Iterator[tuple[NameMatch, float]]:
    """`se llama Juan`, `responde al nombre de Ana`."""
    mixed = note.casing(match.start()) == "mixed"
    if name := name_at(note, match.end(), title_case=mixed):
        yield name, 0.8 if mixed else 0.55


def _initials(note: PlainText, start: int, end: int) -> float:
    """`J. M. R., varón`, `JMR, mujer de 70 años`."""
    return 0.8 if "." in note.plain[start:end] else 0.4


PATTERNS = (
    NamePattern("patient_field", _NAME, rf"(?i)\b({_FIELD}){LABEL_END}(?:{_ADDRESS} {{0,2}})?", _after_label),
    NamePattern("patient_address", _NAME, _TITLE, _after_title),
    NamePattern(
        "patient_named",
        _NAME,
        r"(?i)\b(?:paciente|pte\.?|enferm[oa]|acude|ingresa|nin[oa]|menor) {1,2}",
        _after_patient,
    ),
    NamePattern("patient_named", _NAME, _CALLED, _after_called),
    ContextPattern("initials", _NAME, rf"\b((?:[A-Z]\. ?){{1,3}}[A-Z]\.|[A-Z]{{3,5}}){_PERSON}", _initials),
    ContextPattern(
        "initials",
        _NAME,
        rf"(?i)\b(?:{_FIELD}){LABEL_END}((?-i:(?:[A-Z]\. ?){{1,3}}[A-Z]\.|[A-Z]{{3,5}}\b))",
        0.75,
    ),
)
