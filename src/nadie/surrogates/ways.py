"""Addresses in the form of directions, such as `detrás del mercado`, and the landmarks that they name."""

from __future__ import annotations

import re

from nadie.spanish.folding import same_length
from nadie.spanish.word_lists import Lists
from nadie.surrogates.quarters import quarters

_LISTS = Lists("ways", "nadie.surrogates")

_DESCRIBES = re.compile(rf"(?i){_LISTS.pattern('begins a way')}\b")
_FROM = re.compile(r"del? (?:la |las |los |el )?[a-záéíóúñ]{4,} ")  # `de la pulpería La Guaria 75 oeste`
_HOUSE = re.compile(rf"(?i)(?:últim|ultim|primer|segund|tercer|cuart)?a?\s*{_LISTS.pattern('begins a house')}\b")
_OTHER_LANGUAGES = {
    "gl": re.compile(r"\b(?:do|da|na|ao|onda|igrexa|capela|ponte)\b"),
    "ca": re.compile(r"\b(?:dalt|baix|davant|darrere|vora|costat|placa|porta verda|l'església|pis|cami|portes)\b"),
}
_SPANISH = re.compile(r"\b(?:el|los|las|y|calle|despues|puente|iglesia)\b")
_ARTICLE = re.compile(r"\b(la|una|unha|na|da|el|un|al|del|o|no|do)\s+$")
_FEMININE = frozenset(("la", "una", "unha", "na", "da"))
_LONG = 3  # spaces


def is_way(value: str) -> bool:
    """Whether an address begins with directions: `detrás del mercado`."""
    return _DESCRIBES.match(value) is not None or _FROM.match(value) is not None


def is_way_in_capitals(value: str) -> bool:
    """Whether an address in capital letters consists of directions, not of a street."""
    is_described = _DESCRIBES.match(value) or _HOUSE.match(value)
    return value.isupper() and is_described is not None and value.count(" ") >= _LONG


def is_house(value: str) -> bool:
    """Whether an address begins with a house: `última casa después de la acequia`."""
    return _HOUSE.match(value) is not None


def ways_like(value: str, before: str) -> tuple[str, ...]:
    """Directions to choose from: in the language of the original, and agreeing with the article before it."""
    folded = same_length(value)
    article = _ARTICLE.search(same_length(before))
    for language, cue in _OTHER_LANGUAGES.items():
        if cue.search(folded) and not _SPANISH.search(folded):
            kind = "flats" if article and article[1] not in _FEMININE else "houses"
            return _LISTS[f"{kind} {language}"]
    if article and not is_way(value):
        return _LISTS["houses"] if article[1] in _FEMININE else _LISTS["flats"]
    return _LISTS["houses"] if is_house(value) else _LISTS["ways"]


def landmark(before: str, pick: int) -> str:
    """Another name for a landmark: after the word `before`, `bodega La Fe` → `bodega Santa Ana`."""
    word = before.lower()
    after = dict((*_LISTS.pairs("called"), *_LISTS.pairs("landmarks")))
    return after.get(word) or quarters()[pick % len(quarters())]
