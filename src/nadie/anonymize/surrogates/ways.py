"""Addresses that are described: the way to a house, in words, and the names of landmarks in it."""

from __future__ import annotations

import re

from nadie.anonymize.surrogates.quarters import QUARTERS
from nadie.spanish.folding import same_length

_DESCRIBES = re.compile(
    r"(?i)(?:detrás|junto|frente|al lado|al fondo|pasando|pasado|entrando|a la entrada|contiguo|atrás|a espaldas|"
    r"darrere|davant|onda|subiendo|bajando|donde|cerca|enfrente|encima|diagonal al?|a un (?:costado|lado)|"
    r"a (?:media|una|dos|tres|cuatro) cuadras?|tras la|tras el|por la curva|al pie|al costado)\b"
)
_FROM = re.compile(r"del? (?:la |las |los |el )?[a-záéíóúñ]{4,} ")  # `de la pulpería La Guaria 75 oeste`
_HOUSE = re.compile(
    r"(?i)(?:últim|ultim|primer|segund|tercer|cuart)?a?\s*(?:casa|vivienda|puerta|entrada|corrala|finca|cabaña|masía|"
    r"masia|alquería|pieza|casita|choza|casona|barraca|baserria|champa)\b"
)
_WAYS = (
    "frente a la escuela, casa de dos plantas", "al lado de la iglesia", "detrás del mercado, portón verde",
    "junto al parque, casa de la esquina", "a la entrada del pueblo, casa blanca", "pasando la tienda, última casa",
    "frente al parque, portón negro",
)  # fmt: skip
_HOUSES = (
    "segunda casa pasando el puente", "última casa antes de la iglesia", "tercera casa a la derecha, junto al parque",
    "casa blanca de la esquina, frente a la escuela", "primera casa después del mercado",
)  # fmt: skip
_FLATS = (
    "piso de encima de la farmacia", "edificio de la esquina, frente a la escuela", "piso de al lado de la iglesia",
    "edificio blanco junto al mercado",
)  # fmt: skip
_OTHER_LANGUAGES = (
    (
        re.compile(r"\b(?:do|da|na|ao|onda|igrexa|capela|ponte)\b"),
        ("casa branca a carón da igrexa", "primeira casa despois da ponte", "última casa antes da escola"),
        ("piso de enriba da farmacia", "edificio branco fronte á escola"),
    ),
    (
        re.compile(r"\b(?:dalt|baix|davant|darrere|vora|costat|placa|porta verda|l'església|pis|cami|portes)\b"),
        ("casa blanca al costat de l'església", "primera casa després del pont", "última casa abans de l'escola"),
        ("pis de sobre la farmàcia", "edifici blanc davant de l'escola"),
    ),
)
_SPANISH = re.compile(r"\b(?:el|los|las|y|calle|despues|puente|iglesia)\b")
_ARTICLE = re.compile(r"\b(la|una|unha|na|da|el|un|al|del|o|no|do)\s+$")
_FEMININE = frozenset(("la", "una", "unha", "na", "da"))
_LONG = 3  # spaces
# What takes the place of a name after these words; every place has them.
_LANDMARKS = {"la": "iglesia", "las": "tiendas", "los": "almacenes", "del": "mercado", "al": "mercado", "el": "mercado"}
_CALLED = {
    "don": "Luis", "doña": "Rosa", "dona": "Rosa", "señora": "Carmen", "senora": "Carmen", "señor": "José",
    "familia": "Flores", "finado": "Luis", "finada": "Rosa", "tía": "Rosa", "tío": "Luis",
}  # fmt: skip


def is_way(value: str) -> bool:
    """Whether an address begins by telling the way: `detrás del mercado`."""
    return _DESCRIBES.match(value) is not None or _FROM.match(value) is not None


def is_way_in_capitals(value: str) -> bool:
    """Whether an address in capital letters is a description, and not a street."""
    is_described = _DESCRIBES.match(value) or _HOUSE.match(value)
    return value.isupper() and is_described is not None and value.count(" ") >= _LONG


def is_house(value: str) -> bool:
    """Whether an address begins with a house: `última casa después de la acequia`."""
    return _HOUSE.match(value) is not None


def ways_like(value: str, before: str) -> tuple[str, ...]:
    """Descriptions that fit the article before the address, in the language of the original."""
    folded = same_length(value)
    article = _ARTICLE.search(same_length(before))
    for cue, houses, flats in _OTHER_LANGUAGES:
        if cue.search(folded) and not _SPANISH.search(folded):
            return flats if article and article[1] not in _FEMININE else houses
    if article and not is_way(value):
        return _HOUSES if article[1] in _FEMININE else _FLATS
    return _HOUSES if is_house(value) else _WAYS


def landmark(before: str, pick: int) -> str:
    """Another name for a landmark: after the word `before`, `bodega La Fe` → `bodega Santa Ana`."""
    word = before.lower()
    return _LANDMARKS.get(word) or _CALLED.get(word) or QUARTERS[pick % len(QUARTERS)]
