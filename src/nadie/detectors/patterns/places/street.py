"""Street addresses: the kind of way, its name, the number, and floor and door.

`Calle Mayor 5, 2º B`, `Av. del Mar s/n`, `Ctra. de Toledo km 12,5`, and the grid of Colombia, `Cra. 7 # 45-12`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from nadie.detectors.patterns.base import LABEL_END, ends_alone, follows, pattern_span, precedes
from nadie.detectors.patterns.measures import has_unit
from nadie.detectors.patterns.places.address import CORNER, DOOR, GRID, KIND, NAME, NUMBER, OTHER_GRIDS, WEAK
from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.detectors.patterns.shape import ContextPattern
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
_UNNUMBERED = (
    r"C/ ?|(?:[Cc]alle|Avda?\.?|Av\.|[Aa]venida|[Pp]laza|[Pp]aseo|[Cc]arrer|[Rr]ua|[Rr]onda|"
    r"Ctra\.|[Cc]arretera|"
    r"[Pp]asaje|[Cc]alzada|[Gg]lorieta) "
)
_WORDS = r"(?:(?:de|del|la|las|los|el|y|d') ?){0,2}[A-Z][a-zA-Z']{2,20}"
_FLAT = r"(?:,? (?:piso|depto|dpto|apto|casa|torre|ptal|portal|esc|puerta)\.? ?[a-z0-9]{1,4}\b| bis\b)"


@dataclass(frozen=True)
class StreetPattern:
    """An expression for an address. `score` is given the match and the end of the address without punctuation."""

    name: str
    regex: str
    score: Callable[[PlainText, Any, int], float]

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(self.regex):
            place = _trimmed(note, match.span(1))
            if score := self.score(note, match, place[1]):
                yield pattern_span(self.name, Label.CALLE, place, score)


def _street(note: PlainText, match: Any, end: int) -> float:
    """The score of a kind of way with its name and number."""
    if not _ends(note, end) or has_unit(note, match.end(3), short=False):
        return 0.0
    start, name = match.start(1), match.start(2)
    kind = note.plain[start:name].strip(" ,").lower()
    if follows(note, start, _HOME):
        return 0.93
    if note.casing(start) != "mixed":
        return 0.7 if kind in WEAK or note.casing(start) == "lower" else 0.9
    if not _is_proper(note, name):
        return 0.0 if kind.rstrip(".") in WEAK else 0.3 if kind in ("c/", "b/", "r/") else 0.6
    return 0.75 if kind in WEAK and not note.plain[start].isupper() else 0.95


def _grid(note: PlainText, match: Any, end: int) -> float:
    """The score of an address in a town that numbers its streets: `Cra. 7 # 45-12`, `3ª avenida 12-45 zona 1`."""
    return 0.95 * _ends(note, end)


def _home(note: PlainText, match: Any, end: int) -> float:
    """The score of what stands after `Domicilio:`, up to a number and its door: `Domicilio: Los Alisos, 12`."""
    return 0.95 if _ends(note, end) and not follows(note, match.start(), r"cambio de ", 12) else 0.0


def _bare(note: PlainText, match: Any, end: int) -> float:
    """The score of a name and a number without a kind of way: `Doria, 55 07014 Palma`."""
    return 0.7 * ends_alone(note, end)


def _is_proper(note: PlainText, name: int) -> bool:
    """Whether the name has a capitalised word that is not an abbreviation such as `OD`."""
    regex = r"\A(?:\d{1,2} )?(?:[a-z']{1,6} ){0,3}[A-Z](?:[a-z']|\.|[A-Z]{3})"
    return compiled(regex).search(note.raw[name : name + 24]) is not None


def _ends(note: PlainText, end: int) -> bool:
    return ends_alone(note, end) and not precedes(note, end, r"[,/]\d", 2)


def _trimmed(note: PlainText, place: tuple[int, int]) -> tuple[int, int]:
    """The place without punctuation at its end, and without the letter of a postcode such as `E-28015`."""
    start, end = place
    if precedes(note, end, r"-? ?\d{5}\b", 8) and follows(note, end, r"[ ,.-]e", 2):
        end -= 1
    if note.plain[end : end + 1] == "/" and follows(note, end, r"[ ,.-][a-z]", 2):
        end -= 1
    while end > start and note.plain[end - 1] in " ,.-":
        end -= 1
    return start, end


PATTERNS = (
    StreetPattern("street", rf"(?i)\b({KIND}({NAME})[ ,.]{{1,3}}({NUMBER}){DOOR}{CORNER})", _street),
    StreetPattern("street_grid", rf"(?i)\b({KIND}{GRID}{DOOR})", _grid),
    ContextPattern("street_grid", Label.CALLE, OTHER_GRIDS, lambda note, _, end: 0.85 * ends_alone(note, end)),
    # A street without a number: `la calle Santa María`.
    ContextPattern(
        "street_name",
        Label.CALLE,
        rf"\b((?:{_UNNUMBERED}){_WORDS}(?:[ -]{_WORDS}){{0,4}})",
        lambda note, _, end: 0.7 * ends_alone(note, end),
    ),
    StreetPattern(
        "street_field",
        rf"(?i)\b{_FIELD}{LABEL_END}((?:{NAME}[ ,.]{{1,3}}){{1,2}}?{NUMBER}{DOOR}{CORNER})",
        _home,
    ),
    # Without a kind of way, a postcode, a flat or `Nº` has to follow.
    StreetPattern(
        "street_bare",
        rf"\b({_PROPER},? (?:nº ?)?(?:\d{{1,4}}|s/n)(?i:{DOOR}))[ ,.-]{{1,4}}(?:E-)?\d{{5}}[ ,.-]{{1,3}}[A-Z]",
        _bare,
    ),
    StreetPattern("street_bare", rf"\b({_PROPER},? (?:[Nn][º.o]{{1,2}} ?)?\d{{2,5}}(?i:{_FLAT}){{1,3}})", _bare),
    StreetPattern("street_bare", rf"\b({_PROPER},? [Nn](?:\.?º|o\.) ?\d{{2,5}})", _bare),
)
