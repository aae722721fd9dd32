"""Street addresses: the kind of way, its name, the number, and floor and door.

`Calle Mayor 5, 2º B`, `Av. del Mar s/n`, `Ctra. de Toledo km 12,5`, and the grid of Colombia, `Cra. 7 # 45-12`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import ends_alone, follows, hit, precedes
from nadie.detectors.patterns.cells import LABEL_END
from nadie.detectors.patterns.measures import has_unit
from nadie.detectors.patterns.note import PlainText
from nadie.detectors.patterns.places.address import CORNER, DOOR, GRID, KIND, NAME, NUMBER, OTHER_GRIDS, WEAK
from nadie.detectors.patterns.scanning import compiled
from nadie.document import Span
from nadie.labels import Label

_HOME = (
    r"(?:domicilio|direccion|dir|vive en|reside en|residente en|domiciliad[oa] en|ubicad[oa] en|con domicilio en)"
    r"[ :]{1,3}(?:la |el )?"
)
_FIELD = (
    r"(?:domicilio|direccion|direc?\.|dom(?:ic)?\.|dir|residencia|adreca|helbidea|enderezo)"
    r"(?: (?:actual|habitual|familiar|postal|particular|completa|residencia|para correspondencia))?"
)
_PROPER = r"[A-Z][a-z']{2,15}(?: (?:de |del |la |las |los |y )?[A-Z][a-z']{2,15}){0,2}"


@dataclass(frozen=True)
class Street:
    """A kind of way with its name and number."""

    name: str = "street"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({KIND}({NAME})[ ,.]{{1,3}}({NUMBER}){DOOR}{CORNER})"):
            place = _trimmed(note, match.span(1))
            if not _ends(note, place[1]) or has_unit(note, match.end(3), short=False):
                continue
            if score := self._worth(note, place[0], match.start(2)):
                yield hit(self.name, Label.CALLE, place, score)

    def _worth(self, note: PlainText, start: int, name: int) -> float:
        kind = note.plain[start:name].strip(" ,").lower()
        if follows(note, start, _HOME):
            return 0.93
        if note.casing(start) != "mixed":
            return 0.7 if kind in WEAK or note.casing(start) == "lower" else 0.9
        if not _is_proper(note, name):
            return 0.0 if kind.rstrip(".") in WEAK else 0.3 if kind in ("c/", "b/", "r/") else 0.6
        return 0.75 if kind in WEAK and not note.plain[start].isupper() else 0.95


@dataclass(frozen=True)
class StreetGrid:
    """Towns that number their streets: `Cra. 7 # 45-12`, `3ª avenida 12-45 zona 1`."""

    name: str = "street_grid"

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)\b({KIND}{GRID}{DOOR})"):
            place = _trimmed(note, match.span(1))
            if _ends(note, place[1]):
                yield hit(self.name, Label.CALLE, place, 0.95)
        for match in note.scan(OTHER_GRIDS):
            if ends_alone(note, match.end(1)):
                yield hit(self.name, Label.CALLE, match.span(1), 0.85)


@dataclass(frozen=True)
class UnnumberedStreet:
    """A street without a number: `la calle Santa María`."""

    name: str = "street_name"

    def find(self, note: PlainText) -> Iterator[Span]:
        kinds = (
            r"C/ ?|(?:[Cc]alle|Avda?\.?|Av\.|[Aa]venida|[Pp]laza|[Pp]aseo|[Cc]arrer|[Rr]ua|[Rr]onda|"
            r"Ctra\.|[Cc]arretera|"
            r"[Pp]asaje|[Cc]alzada|[Gg]lorieta) "
        )
        words = r"(?:(?:de|del|la|las|los|el|y|d') ?){0,2}[A-Z][a-zA-Z']{2,20}"
        for match in note.scan(rf"\b((?:{kinds}){words}(?:[ -]{words}){{0,4}})"):
            if ends_alone(note, match.end(1)):
                yield hit(self.name, Label.CALLE, match.span(1), 0.7)


@dataclass(frozen=True)
class HomeAddress:
    """Whatever stands after `Domicilio:`, up to a number and its door: `Domicilio: Los Alisos, 12`."""

    name: str = "street_field"

    def find(self, note: PlainText) -> Iterator[Span]:
        value = rf"(?:{NAME}[ ,.]{{1,3}}){{1,2}}?{NUMBER}{DOOR}{CORNER}"
        for match in note.scan(rf"(?i)\b{_FIELD}{LABEL_END}({value})"):
            place = _trimmed(note, match.span(1))
            if _ends(note, place[1]) and not follows(note, match.start(), r"cambio de ", 12):
                yield hit(self.name, Label.CALLE, place, 0.95)


@dataclass(frozen=True)
class BareStreet:
    """A name and a number without a kind of way, but with a postcode, a flat or `N°`: `Doria, 55 07014 Palma`."""

    name: str = "street_bare"

    def find(self, note: PlainText) -> Iterator[Span]:
        flat = r"(?:,? (?:piso|depto|dpto|apto|casa|torre|ptal|portal|esc|puerta)\.? ?[a-z0-9]{1,4}\b| bis\b)"
        for regex in (
            rf"\b({_PROPER},? (?:nº ?)?(?:\d{{1,4}}|s/n)(?i:{DOOR}))[ ,.-]{{1,4}}(?:E-)?\d{{5}}[ ,.-]{{1,3}}[A-Z]",
            rf"\b({_PROPER},? (?:[Nn][º.o]{{1,2}} ?)?\d{{2,5}}(?i:{flat}){{1,3}})",
            rf"\b({_PROPER},? [Nn](?:\.?º|o\.) ?\d{{2,5}})",
        ):
            for match in note.scan(regex):
                place = _trimmed(note, match.span(1))
                if ends_alone(note, place[1]):
                    yield hit(self.name, Label.CALLE, place, 0.7)


def _is_proper(note: PlainText, name: int) -> bool:
    """Whether the name has a word that is capitalised, and not an abbreviation in capitals such as `OD`."""
    regex = r"\A(?:\d{1,2} )?(?:[a-z']{1,6} ){0,3}[A-Z](?:[a-z']|\.|[A-Z]{3})"
    return compiled(regex).search(note.raw[name : name + 24]) is not None


def _ends(note: PlainText, end: int) -> bool:
    return ends_alone(note, end) and not precedes(note, end, r"[,/]\d", 2)


def _trimmed(note: PlainText, place: tuple[int, int]) -> tuple[int, int]:
    """Without punctuation at the end, nor the letter of a postcode such as `E-28015`."""
    start, end = place
    if precedes(note, end, r"-? ?\d{5}\b", 8) and follows(note, end, r"[ ,.-]e", 2):
        end -= 1
    if note.plain[end : end + 1] == "/" and follows(note, end, r"[ ,.-][a-z]", 2):
        end -= 1
    while end > start and note.plain[end - 1] in " ,.-":
        end -= 1
    return start, end


PATTERNS = (Street(), StreetGrid(), UnnumberedStreet(), HomeAddress(), BareStreet())
