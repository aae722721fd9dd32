"""Names of health professionals, after their title or after what they did."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.cells import LABEL_END
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.people.names import NameMatch, name_at, names_from
from nadie.document import Span
from nadie.labels import Label

_DOCTOR = r"(?:d(?:octo)?r(?:es|s|\.?/dra|/a|\(a\)|a)?s?\b|doctora|dr\.?ª|drª|dras?\b)\.?ª?:?"
_SHORT = (
    r"(?:profa?|lic|licd[oa]|ldo|lda|lcd[oa]|enf|d\.?u\.?e|mir|r[1-5]|tcae|tec|psic|klg[oa]|obst|q\.?f|"
    r"int|tens|aux)\b\.?"
)
_OTHER = (
    r"(?:enfermer[oa]|matrona|residente|adjunt[oa]|facultativ[oa]|medic[oa]|psicolog[oa]|fisioterapeuta|cirujan[oa]|"
    r"anestesista|radiolog[oa]|auxiliar|celadora?|trabajadora? social|nutricionista|logopeda|podolog[oa]|odontolog[oa]|"
    r"farmaceutic[oa]|pediatra|psiquiatra|geriatra|internista|[a-z]{4,16}olog[oa])\b"
)
# A doctor who gave his name to a street or a hospital.
_NAMED_AFTER = (
    r"\b(?:hospital|clinica|calle|c/|c\.|avda?\.?|av\.?|avenida|avinguda|plaza|pza\.?|plz?a?\.?|paseo|pso\.?|centro|"
    r"centre|cs|colegio|instituto|policlinica|sanatorio|edificio|ambulatorio|ies|ceip|residencia|glorieta|carrer|rua|"
    r"ronda|parque|via|salud|premio|catedra|fundacion|domicilio:)(?: [a-z]{2,14}){0,4} ?(?:del |de )?[\"'(]?"
)
_ROLE = (
    r"(?:medic[oa]s?(?: (?:responsable|de cabecera|de familia|adjunt[oa]|tratante|residente|remitente|solicitante|"
    r"de guardia|que (?:informa|firma|atiende)|informante|peticionario))?|facultativ[oa](?: responsable| solicitante)?|"
    r"(?:responsable|resp\.?)(?: clinic[oa])?|remite|fdo|firmado(?: (?:electronicamente|digitalmente))?|firma|"
    r"(?:remitid|firmad|atendid|valorad|enviad|derivad|operad|intervenid|informad|realizad|validad|elaborad|revisad|"
    r"registrad|reportad|redactad|supervisad|tratad|vist|solicitad|asistid)[oa]|"
    r"enfermer[oa](?: responsable| referente)?|enfermeria|cirujan[oa]s?(?: principal)?|anestesista|anestesiolog[oa]|"
    r"ayudantes?(?: [12]º?)?|(?:primer|segundo) ayudante|especialista|radiolog[oa]|patolog[oa]|residente|autora?|"
    r"profesional|tratante|interconsultora?|tecnic[oa]|matrona|fisioterapeuta|psicolog[oa]|solicitante|prescriptora?|"
    r"nombre del (?:medico|profesional|facultativo)|instrumentista|supervisora?|evaluadora?|map|mf|"
    r"due|tcae|dr\./dra\.|dra?\.|enf|metge(?:ssa)?|medic responsable|pediatra|tecnicos?)"
)
_COLON = rf"(?: por\b[ .]?:? ?|{LABEL_END})"


@dataclass(frozen=True)
class TitledStaff:
    """`Dr. Juan Pérez`, `Dres. Gil y Ruiz`, `Enf. Marta Sanz`."""

    name: str = "staff_title"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({_DOCTOR}) {{0,2}}"):
            if follows(note, match.start(), _NAMED_AFTER, 80):
                continue
            title = note.plain[match.start(1) : match.end(1)].lower().rstrip(".")
            for name in (
                names_from(note, match.end(), several=True) if title.endswith("s") else _one(name_at(note, match.end()))
            ):
                yield self._span(note, name, 0.5 if precedes(note, name.end, r",? (?:n[º.]|\d{1,3}\b|s/n)") else 0.95)
        for match in note.scan(rf"(?i)\b(?:{_SHORT}|{_OTHER}) {{1,2}}"):
            other = name_at(note, match.end(), title_case=note.casing(match.start()) == "mixed")
            if other and note.casing(other.start) != "lower" and not follows(note, match.start(), _NAMED_AFTER, 80):
                yield self._span(note, other, 0.85 if other.full_words > 1 else 0.6)

    def _span(self, note: PlainText, name: NameMatch, score: float) -> Span:
        sure = score if note.casing(name.start) == "mixed" else score - 0.15
        return hit(self.name, Label.NOMBRE_PERSONAL_SANITARIO, (name.start, name.end), sure)


@dataclass(frozen=True)
class StaffField:
    """`Médico: Juan Pérez`, `Remitido por: Juan Pérez`, `Fdo.: J. Pérez`."""

    name: str = "staff_field"

    def find(self, note: PlainText) -> Iterator[Span]:
        title = rf"(?:(?:{_DOCTOR}|{_SHORT}|{_OTHER}|dn?\.|dna\.?|d\.?ª|don|dona|sra?\.) {{0,2}}){{0,2}}"
        for match in note.scan(rf"(?i)\b{_ROLE}{_COLON}{title}"):
            for name in names_from(note, match.end()):
                score = 0.93 if note.casing(name.start) == "mixed" else 0.75
                yield hit(self.name, Label.NOMBRE_PERSONAL_SANITARIO, (name.start, name.end), score)


def _one(name: NameMatch | None) -> Iterator[NameMatch]:
    if name:
        yield name


PATTERNS = (TitledStaff(), StaffField())
