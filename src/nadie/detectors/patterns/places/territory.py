"""Towns, provinces, regions, countries: after a label, a postcode, words such as `natural de`, or by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from nadie.detectors.patterns.base import LABEL_END, follows, pattern_span, precedes
from nadie.detectors.patterns.people.names import NameMatch, name_at
from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.detectors.patterns.shape import ContextPattern
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.tables import alternatives, country_names, words
from nadie.spanish.word_lists import Lists

_WORDS = Lists("places", "nadie.detectors.patterns")

_FIELD = _WORDS.pattern("fields of places")
_LIVES_IN = _WORDS.pattern("before places")
_SURNAMES = _WORDS.words("surnames")
_PLACES = frozenset(("town", "province", "region"))
# A lower-case word this frequent is an ordinary word even if a town has that name.
_ORDINARY = 4
_PERSONS = frozenset(("first_name", "first_name_m", "first_name_f", "surname"))
_JOINT = re.compile(r" ?(?:/|,|\(| - |-|\.) ?(?=[A-Z])")
_COUNTRY = alternatives(country_names())
_KNOWN = alternatives(words("places"))
_OF = "(?:de |del |la |las |los |el )?"
# Things of medicine that have the name of a country in theirs.
_NO_COUNTRY = r"(?:balsamo|tinta|nuez|fiebre|virus|manzana|gripe|caña|cana|goma) (?:de |del |de la )?"
# Before these, the name of a country is part of another name.
_NAMED_AFTER = (
    r"\b(?:calle|c/|avda?\.?|avenida|av\.?|plaza|paseo|glorieta|banco|republica|barrio|colonia|hospital|"
    r"clinica|universidad|servicio|sociedad) (?:de |del |de la )?"
)


@dataclass(frozen=True)
class PlacePattern:
    """An expression after whose matches the names of places stand: towns, provinces, regions or countries."""

    name: str
    regex: str
    places: Callable[[PlainText, Any], Iterable[NameMatch]]
    score: float

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(self.regex):
            for place in self.places(note, match):
                country = note.plain[place.start : place.end].lower() in country_names()
                label = Label.PAIS if country else Label.TERRITORIO
                yield pattern_span(self.name, label, (place.start, place.end), self.score)


def _after_label(note: PlainText, match: Any) -> Iterator[NameMatch]:
    """`Localidad/ Provincia: Madrid/Comunidad de Madrid`: each part is a span of its own."""
    return _parts(note, match.end())


def _after_postcode(note: PlainText, match: Any) -> Iterator[NameMatch]:
    """`28013 Madrid`, `28935 Móstoles (Madrid)`."""
    if not follows(note, match.start(), r"[\d.,/+-]", 1):
        yield from _parts(note, match.end())


def _after_lives_in(note: PlainText, match: Any) -> Iterator[NameMatch]:
    """`natural de Cuenca`, `vive en San Pedro`."""
    place = name_at(note, match.end(), title_case=True) if note.casing(match.start()) == "mixed" else None
    if place and not precedes(note, place.start, r"hospital|clinica|residencia|centro|calle|urgencias"):
        yield place


def _lexicon_place(note: PlainText, start: int, end: int) -> float:
    """The score of a place of the lexicon where a place may stand: `en Manzanares`, `(Foz)`, `, Leioa`."""
    if note.casing(start) != "mixed" or not _is_place(note.plain[start:end]):
        return 0.0
    return 0.65 if follows(note, start, r"[a-z] ?", 2) else 0.45


def _known_place(note: PlainText, start: int, end: int) -> float:
    """The score of a known name that is not part of a surname, a street or a hospital."""
    if note.plain[start:end] == "ASIA" or (note.casing(start) == "mixed" and not note.plain[start].isupper()):
        return 0.0
    if precedes(note, end, r",? (?:n[º.o]{1,2} ?)?\d{1,4}\b|,? s/n", 10):
        return 0.0
    alone = not follows(note, start, r"[A-Z][a-z]{2,15} (?:de )?", 24) if note.casing(start) == "mixed" else True
    surname = note.plain[start:end].lower().split()[-1] in _SURNAMES
    inside = follows(note, start, r"\b(?:en|de|desde|a|hacia|por) |[,(/-] ?|\d{5} ?")
    capital_after = compiled(r"\A (?:de )?[A-Z][a-z]").search(note.raw[end : end + 6]) is not None
    if capital_after or (not alone and surname):
        return 0.35
    return (0.7 if surname else 0.85) if inside else (0.45 if surname else 0.7)


def _country(note: PlainText, start: int, end: int) -> float:
    """The score of the name of a country, which has to be capitalised in text of mixed case."""
    if (end < len(note.plain) and note.plain[end].isalnum()) or follows(note, start, _NO_COUNTRY):
        return 0.0
    if follows(note, start, r"\b(?:pais(?: de (?:origen|nacimiento|procedencia))?|nacionalidad) ?[:|] {0,4}"):
        return 0.98
    if note.casing(start) == "mixed" and not note.plain[start].isupper():
        return 0.3 if end - start < 6 else 0.6
    if (follows(note, start, _NAMED_AFTER) and not follows(note, start, r"(?:[,(.-]|\d) ?", 3)) or precedes(
        note, end, r",? ?(?:n[º.]|\d)", 6
    ):
        return 0.4
    return 0.95


def _parts(note: PlainText, start: int) -> Iterator[NameMatch]:
    """The place at `start`, and up to two more that a sign joins to it and that are places by name or in brackets."""
    place = name_at(note, start)
    for _ in range(3):
        if place is None:
            return
        yield place
        joint = _JOINT.match(note.plain, place.end)
        if joint is None:
            return
        place = name_at(note, joint.end())
        if place and joint.group().strip() not in ("(", "/") and not _is_known(note, place):
            return


def _is_place(text: str) -> bool:
    """Whether all of `text` is a place of the lexicon, and not better known as a person."""
    lexicon, parts = Lexicon.shared(), text.lower().split()
    if len(parts) == 1:
        kinds = lexicon.kinds(parts[0])
        ordinary = lexicon.rarity(parts[0]) <= _ORDINARY
        return not ordinary and any(k in _PLACES for k in kinds) and not any(k in _PERSONS for k in kinds)
    return any(m.first == 0 and m.stop == len(parts) and m.kind in _PLACES for m in lexicon.phrases(parts))


def _is_known(note: PlainText, place: NameMatch) -> bool:
    text = note.plain[place.start : place.end].lower()
    return text in words("places") or text in country_names()


PATTERNS = (
    PlacePattern("territory_field", rf"(?i)\b{_FIELD}{LABEL_END}", _after_label, 0.93),
    PlacePattern("town", r"\b\d{5}[ ,)-]{1,3}", _after_postcode, 0.9),
    PlacePattern("territory_told", rf"(?i)\b{_LIVES_IN} {{1,2}}(?:el |la |las |los )?", _after_lives_in, 0.85),
    # What a country follows is a town: `Arequipa, Perú`.
    ContextPattern(
        "town_of_country",
        Label.TERRITORIO,
        (
            rf"\b([A-Z][A-Za-z']{{2,15}}(?:[ -]{_OF}[A-Z][A-Za-z']{{2,15}}){{0,2}})"
            rf" ?[,(] ?(?i:{_COUNTRY})\b"
        ),
        0.65,
    ),
    ContextPattern(
        "territory_lexicon",
        Label.TERRITORIO,
        (
            r"(?:\b(?:en|desde|hacia|equipo de|zona rural de|departamento de|a)|[,(/|;]|- ?|\n) ?"
            rf"([A-Z][a-z']{{2,15}}(?:[ -]{_OF}[A-Z][a-z']{{2,15}}){{0,3}})(?:[ ,.;)/|:-]|\n|\z)"
        ),
        _lexicon_place,
    ),
    ContextPattern("territory_known", Label.TERRITORIO, rf"(?i)\b({_KNOWN})\b", _known_place),
    ContextPattern("country", Label.PAIS, rf"(?i)\b({_COUNTRY})", _country),
)
