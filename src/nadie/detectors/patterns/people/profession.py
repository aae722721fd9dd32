"""Occupations, after the words that announce one or as one of the common ones."""

from __future__ import annotations

from nadie.detectors.patterns.base import LABEL_END, fills_cell, follows, precedes
from nadie.detectors.patterns.plain_text import PlainText
from nadie.detectors.patterns.shape import ContextPattern
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.tables import alternatives, known_professions

_PHRASE = r"[a-z-]{4,18}(?:(?: (?:de|del|de la|en|en la|en el))? [a-z-]{4,18}){0,2}?"
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
_AFTER_AGE = (
    rf"(?i)\banos(?: de edad)?,(?: de sexo [a-z.]{{3,10}},)? ({_PHRASE}), "
    r"(?:casad|solter|viud|divorciad|separad|procedente|natural|residente|jubilad)"
)
_PERSON = (
    r"(?:\banos|\bedad|varon|mujer|hombre|paciente|casad[oa]|solter[oa]|viud[oa]|jubilad[oa]|\bes|\bex|"
    r"\bex-|trabajad[oa] como|era|fue|antigu[oa]|fumador[a]?)[ ,]{1,3}(?:de profesion |una? |de )?"
)
_WORKS_AS = (
    r"(?i)\b(?:(?:trabaja|trabajaba|trabajo|labora|laboraba|se dedica|empleado|"
    r"empleada)(?: actualmente| \d{1,2} anos)? (?:como|de|en)|"
    rf"ocupacion|antigu[oa]|ex) ({_PHRASE})(?: ?[,.;\n(]| y | en (?-i:[A-Z])| desde | hasta |\z)"
)
_RETIRED = r"(?: ya)? (?:jubilad|retirad|en activo|en paro|de profesion|pensionad|desemplead)"
_KNOWN = alternatives(known_professions(tables.PATTERNS))


def _known(note: PlainText, start: int, end: int) -> float:
    near = follows(note, start, _PERSON) or precedes(note, end, _RETIRED) or fills_cell(note, start, end)
    return 0.75 if near else 0.4


PATTERNS = (
    ContextPattern("profession", Label.PROFESION, rf"(?i)\b(?:{_SAYS}) {{0,2}}(?:una? )?({_KNOWN})\b", 0.95),
    ContextPattern(
        "profession_field",
        Label.PROFESION,
        rf"(?i)\b{_FIELD}{LABEL_END}({_PHRASE})(?: ?[,.;\n|(]| {{3}}|\z)",
        0.85,
    ),
    ContextPattern("profession_phrase", Label.PROFESION, _WORKS_AS, 0.7),
    ContextPattern("profession_phrase", Label.PROFESION, _AFTER_AGE, 0.7),
    ContextPattern("profession_known", Label.PROFESION, rf"(?i)\b({_KNOWN})\b", _known),
)
