"""Street addresses: the kind of way, its name, the number, and floor and door.

`Calle Mayor 5, 2º B`, `Av. del Mar s/n`, `Ctra. de Toledo km 12,5`, and the grid of Colombia, `Cra. 7 # 45-12`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import compiled, ends_alone, follows, hit, precedes
from nadie.detectors.patterns.measures import has_unit
from nadie.detectors.patterns.note import Note
from nadie.document import Span
from nadie.labels import Label

# Kinds of way that end in a letter need a blank after them; those cut short by a sign may go on at once.
_KIND = (
    r"(?:(?:call[ea]|carr|crt|cll|avda?|avenid[ao]|avinguda|av|plaza|pza|plza?|plz|paseo|pso|passeig|"
    r"carrer|rua|ronda|rda|travesia|"
    r"trav|ctra|carretera|glorieta|gta|gran via|urbanizacion|urb|pasaje|pje|psje|callejon|bulevar|"
    r"blvd|boulevard|cra|kra|"
    r"carrera|jiron|jr|prolongacion|cerrada|andador|alameda|rambla|costanilla|apartado(?: de correos)?|apdo|calzada|pg|"
    r"poligono(?: industrial)?|diagonal|dg|transversal|transv|tv|autopista|circunvalacion|fraccionamiento|fracc|"
    r"conjunto|paraje|camino|cmno|cuesta|edificio|edif|privada|manzana|mz|kr|cl)(?:[.,]? {1,2}|\.)|"
    r"c/\.? ?|av/ ?|cll?\. ?|avd?ª\.? ?|p\.?º ?)"
)
_WEAK = frozenset(
    (
        "camino cuesta edificio conjunto carrera diagonal transversal plaza paseo paraje "
        "privada manzana cl av kr dg pg ronda"
    ).split()
)
_WORD = r"(?:[a-z']{1,20}\.?ª?|\d{1,2} de|\"[a-z ]{2,30}\")"
_NAME = rf"{_WORD}(?:[ -]{{1,2}}{_WORD}){{0,6}}?"
_NUMBER = (
    r"(?:(?:(?:n ?[º.o]{0,2}|num(?:ero)?\.?|no\.|#) {0,2})?\d{1,5}(?: ?bis\b)?(?:[a-z]\b|º|"
    r"ª)?(?: ?[-/] ?\d{1,4}\b)?(?: km\.? ?\d{1,4})?|"
    r"s/n\b|sn\b|s\.n\.|sin numero\b|km\.? ?\d{1,4}(?:[.,]\d{1,3})?)"
)
_DOOR = (
    r"(?:[ ,.-]{0,3}(?:\d{1,3}(?:-?[a-z]\b|(?: ?(?:º|ª|\.º|\.ª|er\b|o\b|m[oa]\b|d[oa]\b|t[oa]\b)|"
    r"\b)(?: ?-? ?[a-z]\b)?)|"
    r"(?:bajo|bj|izq(?:uierda|da|d)?|izda|iz|dcha?|drcha|dcho|der(?:echa)?|[a-z]|p\d|atico|entresuelo|principal|centro|"
    r"exterior|interior|local|esq|(?:esc(?:alera)?|piso|p|pta|puerta|portal|planta|pl|bloque|blq|bl|"
    r"apto|apartamento|ap|"
    r"dpto|depto|dto|casa|int|torre|of(?:icina)?|lote|manzana|mz|dep|interior|letra|nº|"
    r"suite)\.? ?\"?[a-z0-9]{1,4}\"?)\b)[º.ª]?){0,4}"
)
_SIDE = r"(?: (?:sur|norte|este|oeste)\b)?"
_GRID = (
    rf"\d{{1,3}} ?[a-z]{{0,2}}(?: bis)?{_SIDE} ?(?:#|n[º.o]{{0,2}}|no\.?|numero|nro\.?|-|con)? {{0,2}}"
    rf"\d{{1,3}} ?[a-z]{{0,2}} ?- ?\d{{1,3}}{_SIDE}"
)
_HOME = (
    r"(?:domicilio|direccion|dir|vive en|reside en|residente en|domiciliad[oa] en|ubicad[oa] en|con domicilio en)"
    r"[ :]{1,3}(?:la |el )?"
)
_FIELD = (
    r"(?:domicilio|direccion|dir|dom|residencia)(?: (?:actual|habitual|familiar|postal|particular|"
    r"completa))?\.? ?[:|]"
)


@dataclass(frozen=True)
class Street:
    """A kind of way with its name and number."""

    name: str = "street"

    def find(self, note: Note) -> Iterator[Span]:
        for match in compiled(rf"(?i)\b({_KIND}{_GRID}{_DOOR})").finditer(note.raw):
            place = _trimmed(note, match.span(1))
            if _ends(note, place[1]):
                yield hit("street_grid", Label.CALLE, place, 0.95)
        for match in compiled(rf"(?i)\b({_KIND}({_NAME})[ ,.]{{1,3}}({_NUMBER}){_DOOR})").finditer(note.raw):
            place = _trimmed(note, match.span(1))
            if not _ends(note, place[1]) or has_unit(note, match.end(3), short=False):
                continue
            if score := self._worth(note, place[0], match.start(2)):
                yield hit(self.name, Label.CALLE, place, score)

    def _worth(self, note: Note, start: int, name: int) -> float:
        kind = note.plain[start:name].strip(" .,").lower()
        home = follows(note, start, _HOME)
        if home:
            return 0.93
        if note.casing(start) != "mixed":
            return 0.7 if kind in _WEAK or note.casing(start) == "lower" else 0.9
        if not _is_proper(note, name):
            return 0.0 if kind in _WEAK else 0.3 if kind == "c/" else 0.6
        return 0.75 if kind in _WEAK and not note.plain[start].isupper() else 0.95


@dataclass(frozen=True)
class UnnumberedStreet:
    """A street without a number: `la calle Santa María`."""

    name: str = "street_name"

    def find(self, note: Note) -> Iterator[Span]:
        kinds = (
            r"C/ ?|(?:[Cc]alle|Avda?\.?|Av\.|[Aa]venida|[Pp]laza|[Pp]aseo|[Cc]arrer|[Rr]ua|[Rr]onda|"
            r"Ctra\.|[Cc]arretera|"
            r"[Uu]rbanizacion|[Uu]rb\.|[Pp]asaje|[Cc]alzada|[Gg]lorieta) "
        )
        words = r"(?:(?:de|del|la|las|los|el|y|d') ?){0,2}[A-Z][a-zA-Z']{2,20}"
        for match in compiled(rf"\b((?:{kinds}){words}(?:[ -]{words}){{0,4}})").finditer(note.raw):
            if ends_alone(note, match.end(1)):
                yield hit(self.name, Label.CALLE, match.span(1), 0.7)


@dataclass(frozen=True)
class HomeAddress:
    """Whatever stands after `Domicilio:`, up to a number and its door: `Domicilio: Los Alisos, 12`."""

    name: str = "street_field"

    def find(self, note: Note) -> Iterator[Span]:
        value = rf"(?:{_NAME}[ ,.]{{1,3}}){{1,2}}?{_NUMBER}{_DOOR}"
        for match in compiled(rf"(?i)\b{_FIELD} {{0,4}}\n?({value})").finditer(note.raw):
            place = _trimmed(note, match.span(1))
            if _ends(note, place[1]):
                yield hit(self.name, Label.CALLE, place, 0.95)


def _is_proper(note: Note, name: int) -> bool:
    """Whether the name has a word that is capitalised, and not an abbreviation in capitals such as `OD`."""
    return (
        compiled(r"\A(?:[a-z']{1,6} ){0,3}[A-Z](?:[a-z']|\.|[A-Z]{3})").search(note.raw[name : name + 24]) is not None
    )


def _ends(note: Note, end: int) -> bool:
    return ends_alone(note, end) and not precedes(note, end, r"[,/]\d", 2)


def _trimmed(note: Note, place: tuple[int, int]) -> tuple[int, int]:
    """Without punctuation at the end, nor the letter of a postcode such as `E-28015`."""
    start, end = place
    if precedes(note, end, r"-? ?\d{5}\b", 8) and follows(note, end, r"[ ,.-]e", 2):
        end -= 1
    while end > start and note.plain[end - 1] in " ,.-":
        end -= 1
    return start, end


@dataclass(frozen=True)
class BareStreet:
    """A name and a number with a postcode and a town after them: `Andrea Doria, 55 07014 Palma`."""

    name: str = "street_bare"

    def find(self, note: Note) -> Iterator[Span]:
        words = r"[A-Z][a-z']{2,15}(?: (?:de |del |la |las |los |y )?[A-Z][a-z']{2,15}){0,2}"
        regex = rf"\b({words},? (?:nº ?)?(?:\d{{1,4}}|s/n)(?i:{_DOOR}))[ ,.-]{{1,4}}(?:E-)?\d{{5}}[ ,.-]{{1,3}}[A-Z]"
        for match in compiled(regex).finditer(note.raw):
            yield hit(self.name, Label.CALLE, _trimmed(note, match.span(1)), 0.7)


PATTERNS = (Street(), UnnumberedStreet(), HomeAddress(), BareStreet())
