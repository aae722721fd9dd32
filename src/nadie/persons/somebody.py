"""Persons under labels that are not for persons: a lawyer labelled as an institution, a neighbour as another value."""

from __future__ import annotations

import re

from nadie.labels import Label
from nadie.spanish.centre_words import KINDS
from nadie.spanish.folding import same_length, words_of
from nadie.spanish.name_kin import american_bearers
from nadie.spanish.names import FEMALE_TITLES, MALE_TITLES, PARTICLES
from nadie.spanish.population import bearers, is_named_elsewhere, surname_bearers

OTHER_LABELS = frozenset((Label.OTROS_SUJETO_ASISTENCIA, Label.INSTITUCION))
_NAME = re.compile(r"[^\W\d_]+(?:[ '’-]+[^\W\d_]+){0,4}")
_TITLED = re.compile(rf"\b(?:{'|'.join(sorted(MALE_TITLES | FEMALE_TITLES, key=len, reverse=True))})[.ªa]*\s+$")
_CUE = re.compile(
    r"\b(?:amig[oa]|vecin[oa]|novi[oa]|jef[ea]|companer[oa]|cuidador[a]?|avis\w+ a|llamada?|llama|contacto|"
    r"abogad[oa]|letrad[oa]|prim[oa]|ti[oa]|herman[oa]|hij[oa]|madre|padre|espos[oa]|marido|mujer|pareja|tutor[a]?)\W+(?:es\W+)?$"
)
_WORK = re.compile(r"\b(?:en|para|empresa|de la|del)\s+$")
_FEW = 3_000
_OF_PARISHES = frozenset(("nuestra", "virgen", "san", "santo", "santa", "santisima", "sagrado", "divina", "divino"))


def is_somebody(value: str, before: str) -> bool:
    """Whether a value is the name of a person, by its words and the text before it."""
    words = words_of(value)
    if not words or not _NAME.fullmatch(value) or not value[0].isupper() or not KINDS.isdisjoint(words):
        return False
    folded = same_length(before[-40:])
    if words[0] in _OF_PARISHES and len(words) > 1:
        return False  # `Nuestra Señora de Candelaria`
    names = [word for word in words if word not in PARTICLES]
    if _TITLED.search(folded) or _CUE.search(folded):
        return all(_is_name(word) for word in names)
    if _WORK.search(folded) or not _is_given(words[0]):
        return False
    if len(names) == 1:
        return bearers(words[0]) >= _FEW
    return all(_is_name(word) for word in names)


def _is_given(word: str) -> bool:
    return bearers(word) + american_bearers(word) > surname_bearers(word)


def _is_name(word: str) -> bool:
    return bearers(word) > 0 or surname_bearers(word) > 0 or american_bearers(word) > 0 or is_named_elsewhere(word)
