"""Names of the patient, after their label, a form of address, or the word patient itself."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit
from nadie.detectors.patterns.cells import LABEL_END
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.people.names import name_at, names_from
from nadie.document import Span
from nadie.labels import Label

_ADDRESS = r"(?:sr[a]?|srta|senora?|don|dona|dna|d\.?ª|dn|d\.)\b\.?(?:/a\b\.?)?"
_FIELD = (
    r"(?:nombres?(?:/s)?(?: ?\(s\))?(?: (?:y apellidos?(?:/s)?|completo|social|del paciente|de pila|"
    r"paciente|pac\.?|del usuario|"
    r"legal))?|nomb?\.(?: y ap\.)?|nme\.|nom(?: i cognoms)?|izena|izen-abizenak|nome e apelidos|"
    r"apellidos?(?:/s)?(?: ?\(s\))?(?:,? (?:y )?nombres?(?:/s)?| paterno| materno| del paciente)?|"
    r"apell?s?\.|aps?\.(?: y nombre)?|"
    r"cognoms|abizenak|apelidos|(?:1|2|primer|segundo)(?:er|º|o)? ?(?:y (?:2º|segundo) )?(?:apellidos?|nombre)|"
    r"paciente|pac|pcte|pte|px|identidad|titular|usuari[oa]|enferm[oa](?:/a)?|asegurad[oa]|"
    r"interesad[oa]|alias|(?:datos de )?filiacion|"
    r"identificacion del paciente|d\./dna\.|sr\./sra\.|don/dona)"
)
_OF_NAMES = ("nom", "nme", "ap", "1", "2", "primer", "segundo", "izen", "abizen", "cognom")
_NAMED_AFTER = (
    r"\b(?:hospital|clinica|calle|c/|avda?\.?|avenida|plaza|paseo|residencia|colegio|universitari[oa]|"
    r"centro|salud)(?: de| del)? "
)


@dataclass(frozen=True)
class PatientField:
    """`Nombre: Rafael`, `Apellidos: Calvo Martín`, `Paciente: PÉREZ RUIZ, ANA`."""

    name: str = "patient_field"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_FIELD}){LABEL_END}(?:{_ADDRESS} {{0,2}})?"):
            label = note.plain[match.start(1) : match.end(1)].lower()
            score = 0.97 if label.startswith(_OF_NAMES) else 0.85
            for name in names_from(note, match.end()):
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (name.start, name.end), score)


@dataclass(frozen=True)
class AddressedPatient:
    """`Sra. Gómez`, `D. Luis Wilson`, `Doña Ana`."""

    name: str = "patient_address"

    def find(self, note: PlainText) -> Iterator[Span]:
        regex = r"(?i)\b(?:(sr[a]?s?|srta|senora?|don|dona|dna|dn)\b\.?(?:/a\.?)?|(d\.|d\.? ?ª\.?))[ ]{0,2}"
        for match in note.scan(regex):
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

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"(?i)\b(?:paciente|pte\.?|enferm[oa]|acude|ingresa|nin[oa]|menor) {1,2}"):
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
        for match in note.scan(called):
            if name := name_at(note, match.end(), title_case=note.casing(match.start()) == "mixed"):
                score = 0.8 if note.casing(match.start()) == "mixed" else 0.55
                yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, (name.start, name.end), score)


@dataclass(frozen=True)
class Initials:
    """`J. M. R., varón`, `JMR, mujer de 70 años`: a name cut down to its letters."""

    name: str = "initials"

    def find(self, note: PlainText) -> Iterator[Span]:
        told = r"(?:,? (?i:varon|mujer|nin[oa]|hombre|de \d|nhc|masculin|femenin|hc\b|\d{1,3} ?a)|, \d{1,3} ?a)"
        for match in note.scan(rf"\b((?:[A-Z]\. ?){{1,3}}[A-Z]\.|[A-Z]{{3,5}}){told}"):
            dotted = "." in note.plain[match.start(1) : match.end(1)]
            yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, match.span(1), 0.8 if dotted else 0.4)
        for match in note.scan(rf"(?i)\b(?:{_FIELD}){LABEL_END}((?-i:(?:[A-Z]\. ?){{1,3}}[A-Z]\.|[A-Z]{{3,5}}\b))"):
            yield hit(self.name, Label.NOMBRE_SUJETO_ASISTENCIA, match.span(1), 0.75)


PATTERNS = (PatientField(), AddressedPatient(), NamedPatient(), Initials())
