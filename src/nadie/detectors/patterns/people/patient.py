"""Names of the patient, after their label, a form of address, or the word patient itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import compiled, follows, hit
from nadie.detectors.patterns.note import Note
from nadie.detectors.patterns.people.names import name_at, names_from
from nadie.document import Span
from nadie.labels import Label

_ADDRESS = r"(?:sr[a]?|srta|senora?|don|dona|dna|d\.?ª|dn|d\.)\b\.?(?:/a\b\.?)?"
_FIELD = (
    r"(?:nombres?(?: (?:y apellidos?|completo|social|del paciente|de pila|paciente))?|"
    r"apellidos?(?: (?:y nombres?|paterno|materno|del paciente))?|"
    r"(?:1|2|primer|segundo)(?:er|º|o)? ?(?:apellido|nombre)|apellido/s y nombre/s|"
    r"ape(?:llidos)?\.? y nom(?:bre)?\.?|paciente|pac|pcte|pte|px|nombre/apellidos|apellidos, nombre|"
    r"identidad|titular|usuari[oa]|"
    r"nom\.|ap\.|nombre legal|alias|filiacion)"
)
_NAMED_AFTER = (
    r"\b(?:hospital|clinica|calle|c/|avda?\.?|avenida|plaza|paseo|residencia|colegio|universitari[oa]|"
    r"centro|salud)(?: de| del)? "
)


@dataclass(frozen=True)
class PatientField:
    """`Nombre: Rafael`, `Apellidos: Calvo Martín`, `Paciente: PÉREZ RUIZ, ANA`."""

    name: str = "patient_field"

    def find(self, note: Note) -> Iterator[Span]:
        for match in compiled(
            rf"(?i)\b({_FIELD})(?:[ .]{{0,2}}[:=|]| {{3}}|\n)[ |]{{0,4}}(?:{_ADDRESS} {{0,2}})?"
        ).finditer(note.raw):
            labelled = (
                note.plain[match.start(1) : match.end(1)]
                .lower()
                .startswith(("nom", "ap", "1", "2", "primer", "segundo"))
            )
            for name in names_from(note, match.end()):
                score = 0.97 if labelled else 0.85
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (name.start, name.end), score)


@dataclass(frozen=True)
class AddressedPatient:
    """`Sra. Gómez`, `D. Luis Wilson`, `Doña Ana`."""

    name: str = "patient_address"

    def find(self, note: Note) -> Iterator[Span]:
        regex = r"(?i)\b(?:(sr[a]?s?|srta|senora?|don|dona|dna|dn)\b\.?(?:/a\.?)?|(d\.|d\.? ?ª\.?))[ ]{0,2}"
        for match in compiled(regex).finditer(note.raw):
            if follows(note, match.start(), _NAMED_AFTER) or (
                match.start(2) >= 0 and follows(note, match.start(), r"[a-z]\. ?|vitamina ", 10)
            ):
                continue
            mixed = note.casing(match.start()) == "mixed"
            if name := name_at(note, match.end(), title_case=False):
                if match.start(2) >= 0:
                    score = 0.85 if mixed and name.full_words > 1 else 0.5
                else:
                    score = 0.9 if mixed else 0.65
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (name.start, name.end), score)


@dataclass(frozen=True)
class NamedPatient:
    """`la paciente Norton`, `se llama Juan`, `responde al nombre de Ana`."""

    name: str = "patient_named"

    def find(self, note: Note) -> Iterator[Span]:
        for match in compiled(r"(?i)\b(?:paciente|pte\.?|enferm[oa]|acude|ingresa|nin[oa]|menor) {1,2}").finditer(
            note.raw
        ):
            name = name_at(note, match.end(), title_case=True) if note.casing(match.start()) == "mixed" else None
            if name:
                yield hit(
                    self.name,
                    Label.NOMBRE_SUJETO_ASISTENCIA,
                    (name.start, name.end),
                    0.85 if name.full_words > 1 else 0.6,
                )
        called = (
            r"(?i)\b(?:llamad[oa]|se llama|de nombre|responde al nombre de|apodad[oa]|alias|"
            r"conocid[oa] como|identificad[oa] como|a nombre de) {1,2}[\"'(]?"
        )
        for match in compiled(called).finditer(note.raw):
            if name := name_at(note, match.end(), title_case=note.casing(match.start()) == "mixed"):
                score = 0.8 if note.casing(match.start()) == "mixed" else 0.55
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (name.start, name.end), score)


PATTERNS = (PatientField(), AddressedPatient(), NamedPatient())
