"""Occupations, after the words that announce one or as one of the common ones."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.cells import LABEL_END, fills_cell
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.tables import alternatives, known_professions

_SAYS = (
    r"(?:profesion|ocupacion|oficio|actividad (?:laboral|profesional)|puesto(?: de trabajo)?|empleo|"
    r"cargo) ?(?::|es|actual:| de)|"
    r"(?:trabaja|trabajo|trabajaba|trabajado|trabajando|labora|laboraba|laboro|ejerce|ejercia|"
    r"empleado|empleada|contratad[oa]|se dedica|dedicad[oa])(?: actualmente)? (?:como|de|a la|al|"
    r"en la|en el|en un[a]?|en)|"
    r"de profesion,?|de oficio,?"
)
_FIELD = (
    r"(?:profesion(?:/ocupacion)?|ocupacion|oficio|prof\.|trabajo|empleo|puesto(?: de trabajo)?|actividad laboral|"
    r"situacion laboral|dedicacion)"
)
# After the age, before the marital state or the home: `Varón de 60 años, encofrador, casado`.
_TOLD = (
    r"(?i)\banos(?: de edad)?,(?: de sexo [a-z.]{3,10},)? ({phrase}), "
    r"(?:casad|solter|viud|divorciad|separad|procedente|natural|residente|jubilad)"
)
_PHRASE = r"[a-z-]{4,18}(?:(?: (?:de|del|de la|en|en la|en el))? [a-z-]{4,18}){0,2}?"
_PERSON = (
    r"(?:\banos|\bedad|varon|mujer|hombre|paciente|casad[oa]|solter[oa]|viud[oa]|jubilad[oa]|\bes|\bex|"
    r"\bex-|trabajad[oa] como|era|fue|antigu[oa]|fumador[a]?)[ ,]{1,3}(?:de profesion |una? |de )?"
)


@dataclass(frozen=True)
class Profession:
    """What follows `trabaja de`, and known occupations near a person."""

    name: str = "profession"

    def find(self, note: PlainText) -> Iterator[Span]:
        known = alternatives(known_professions(tables.PATTERNS))
        for match in note.scan(rf"(?i)\b(?:{_SAYS}) {{0,2}}(?:una? )?({known})\b"):
            yield hit(self.name, Label.PROFESION, match.span(1), 0.95)
        for match in note.scan(rf"(?i)\b{_FIELD}{LABEL_END}({_PHRASE})(?: ?[,.;\n|(]| {{3}}|\z)"):
            yield hit("profession_field", Label.PROFESION, match.span(1), 0.85)
        for match in note.scan(
            r"(?i)\b(?:(?:trabaja|trabajaba|trabajo|labora|laboraba|se dedica|empleado|"
            r"empleada)(?: actualmente| \d{1,2} anos)? (?:como|de|en)|"
            rf"ocupacion|antigu[oa]|ex) ({_PHRASE})(?: ?[,.;\n(]| y | en (?-i:[A-Z])| desde | hasta |\z)"
        ):
            yield hit("profession_phrase", Label.PROFESION, match.span(1), 0.7)
        for match in note.scan(_TOLD.replace("{phrase}", _PHRASE)):
            yield hit("profession_phrase", Label.PROFESION, match.span(1), 0.7)
        for match in note.scan(rf"(?i)\b({known})\b"):
            near = follows(note, match.start(1), _PERSON) or precedes(
                note, match.end(1), r"(?: ya)? (?:jubilad|retirad|en activo|en paro|de profesion|pensionad|desemplead)"
            )
            near = near or fills_cell(note, *match.span(1))
            yield hit("profession_known", Label.PROFESION, match.span(1), 0.75 if near else 0.4)


PATTERNS = (Profession(),)
