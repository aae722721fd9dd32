"""Towns, provinces, regions: after their label, after a postcode, after words such as `natural de`, or by name."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import follows, hit, precedes
from nadie.detectors.patterns.cells import LABEL_END
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.people.names import NameMatch, name_at
from nadie.detectors.patterns.scanning import compiled
from nadie.document import Span
from nadie.labels import Label
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.tables import alternatives, country_names, words

_FIELD = (
    r"(?:localidad(?: ?/ ?provincia)?|provincia(?: ?/ ?estado)?|ciudad(?: ?/ ?provincia)?|municipio|"
    r"poblacion|comuna|departamento|estado|region|comunidad(?: autonoma)?|distrito|canton|"
    r"delegacion|alcaldia|vereda|corregimiento|lugar(?: de (?:nacimiento|residencia|origen|"
    r"procedencia))?|residencia|procedencia|barrio|colonia|col\.|sector|parroquia|partido|natural de|"
    r"zona)"
)
_SAYS = (
    r"(?:natural de|nacid[oa] en|vive en|vivia en|viven en|reside en|residente en|residencia en|"
    r"vecin[oa] de|procedente de|proviene de|procede de|originari[oa] de|oriund[oa] de|"
    r"viaje(?: reciente)? a|viajo a|viajado a|"
    r"domiciliad[oa] en|estancia en|estuvo en|vacaciones en|emigro a|emigro de|municipio de|"
    r"localidad de|provincia de|ciudad de|pueblo de|comarca de|isla de|"
    r"barrio de|barrio|colonia|col\.|fracc\.|fraccionamiento|urbanizacion|urb\.|comuna de|vereda|"
    r"corregimiento de|poblacion de|aldea de|parroquia de|region de|distrito de|afueras de|trabaja en|"
    r"regreso de|vuelta de)"
)
_SURNAMES = frozenset(
    "santiago leon cordoba granada toledo valencia zamora soria segovia sevilla burgos "
    "cuenca avila lugo merida santander aragon "
    "guadalajara trujillo morelos mendoza salta parana cali pasto huila tolima narino "
    "loja ibarra puebla durango colima "
    "lima arona torrent paterna denia gandia lorca yecla baza utrera benavente bejar laredo roma fez navarra asturias "
    "galicia caceres lerida palencia tudela estella cartagena barcelona madrid medina ubeda ecija tunja bolivar".split()
)
_PLACES = frozenset(("town", "province", "region"))
# A lower-case word this frequent is an ordinary word, whatever town is called so.
_ORDINARY = 4
_PERSONS = frozenset(("first_name", "first_name_m", "first_name_f", "surname"))


@dataclass(frozen=True)
class TerritoryField:
    """`Localidad/ Provincia: Madrid/Comunidad de Madrid`: each part is a mention of its own."""

    name: str = "territory_field"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b{_FIELD}{LABEL_END}"):
            for place in _parts(note, match.end()):
                yield hit(self.name, _label(note, place), (place.start, place.end), 0.93)


@dataclass(frozen=True)
class TownAfterPostcode:
    """`28013 Madrid`, `28935 Móstoles (Madrid)`."""

    name: str = "town"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(r"\b\d{5}[ ,)-]{1,3}"):
            if follows(note, match.start(), r"[\d.,/+-]", 1):
                continue
            for place in _parts(note, match.end()):
                yield hit(self.name, _label(note, place), (place.start, place.end), 0.9)


@dataclass(frozen=True)
class ToldPlace:
    """`natural de Cuenca`, `vive en San Pedro`."""

    name: str = "territory_told"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b{_SAYS} {{1,2}}(?:el |la |las |los )?"):
            if note.casing(match.start()) != "mixed":
                continue
            place = name_at(note, match.end(), title_case=True)
            if place and not precedes(note, place.start, r"hospital|clinica|residencia|centro|calle|urgencias"):
                yield hit(self.name, _label(note, place), (place.start, place.end), 0.85)


@dataclass(frozen=True)
class LexiconPlace:
    """A town, province or region of the lexicon where a place may stand: `en Manzanares`, `(Foz)`, `, Leioa`."""

    name: str = "territory_lexicon"

    def find(self, note: PlainText) -> Iterator[Span]:
        words = r"[A-Z][a-z']{2,15}(?:[ -](?:de |del |la |las |los |el )?[A-Z][a-z']{2,15}){0,3}"
        told = r"\b(?:en|desde|hacia|equipo de|zona rural de|departamento de|a)|[,(/|;]|- ?|\n"
        for match in note.scan(rf"({told}) ?({words})(?:[ ,.;)/|:-]|\n|\z)"):
            if note.casing(match.start(2)) != "mixed" or not _is_place(note.plain[match.start(2) : match.end(2)]):
                continue
            in_words = note.plain[match.start(1) : match.end(1)].replace(" ", "").isalpha()
            yield hit(self.name, Label.TERRITORIO, match.span(2), 0.65 if in_words else 0.45)


@dataclass(frozen=True)
class TownBeforeCountry:
    """`Arequipa, Perú`: what a country follows is a town."""

    name: str = "town_of_country"

    def find(self, note: PlainText) -> Iterator[Span]:
        words = r"[A-Z][A-Za-z']{2,15}(?:[ -](?:de |del |la |las |los |el )?[A-Z][A-Za-z']{2,15}){0,2}"
        for match in note.scan(rf"\b({words}) ?[,(] ?(?i:{alternatives(country_names())})\b"):
            yield hit(self.name, Label.TERRITORIO, match.span(1), 0.65)


@dataclass(frozen=True)
class KnownPlace:
    """A place by its name, where it is not part of a surname, a street or a hospital."""

    name: str = "territory_known"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({alternatives(words('places'))})\b"):
            start, end = match.span(1)
            if note.plain[start:end] == "ASIA" or (note.casing(start) == "mixed" and not note.plain[start].isupper()):
                continue
            if precedes(note, end, r",? (?:n[º.o]{1,2} ?)?\d{1,4}\b|,? s/n", 10):
                continue
            yield hit(self.name, Label.TERRITORIO, (start, end), self._worth(note, start, end))

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        alone = not follows(note, start, r"[A-Z][a-z]{2,15} (?:de )?", 24) if note.casing(start) == "mixed" else True
        surname = note.plain[start:end].lower().split()[-1] in _SURNAMES
        inside = follows(note, start, r"\b(?:en|de|desde|a|hacia|por) |[,(/-] ?|\d{5} ?")
        capital_after = compiled(r"\A (?:de )?[A-Z][a-z]").search(note.raw[end : end + 6]) is not None
        if capital_after or (not alone and surname):
            return 0.35
        return (0.7 if surname else 0.85) if inside else (0.45 if surname else 0.7)


_JOINT = re.compile(r" ?(?:/|,|\(| - |-|\.) ?(?=[A-Z])")


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


def _label(note: PlainText, place: NameMatch) -> Label:
    return Label.PAIS if note.plain[place.start : place.end].lower() in country_names() else Label.TERRITORIO


PATTERNS = (TerritoryField(), TownAfterPostcode(), ToldPlace(), TownBeforeCountry(), LexiconPlace(), KnownPlace())
