"""The grammar of street addresses, as pieces of patterns: kind of way, name, number, floor and door."""

from __future__ import annotations

from nadie.spanish.word_lists import Lists

_LISTS = Lists("places", "nadie.detectors.patterns")

# Kinds of way that end in a letter need a blank after them; those cut short by a sign may go on at once.
_SHORT = r"c/\.? ?|b/ ?|r/ ?|[cb]º ?|av/ ?|cll?\. ?|avd?ª\.? ?|p\.?º ?"
KIND = rf"(?:{_LISTS.pattern('kinds of way')}(?:[.,]? {{1,2}}|\.)|{_SHORT})"
# Kinds that are ordinary words as well, and need a capital.
WEAK = _LISTS.words("ordinary words for ways")
_WORD = (
    r"(?:(?:dra?|sta|sto|gral|prof|hnos|ntra|sra|cap|gob|ing|lic|fco|ma|nnal|[a-z])\.ª?|[a-z']{1,20}ª?|\d{1,2} de|"
    r"\"[a-z ]{2,30}\")"
)
NAME = rf"{_WORD}(?:[ -]{{1,2}}{_WORD}){{0,6}}?"
NUMBER = (
    r"(?:(?:(?:n ?[º.o]{0,3}|num(?:ero)?\.?|no\.|#) {0,2})?\d{1,5}(?: ?bis\b)?(?:[a-z]\b|º|ª)?(?: ?[-/] ?\d{1,4}\b)?"
    r"(?: km\.? ?\d{1,4})?|(?:n|s|e|o|oe)\d{1,3}-\d{1,4}|s/n\b|sn\b|s\.n\.|sin numero\b|km\.? ?\d{1,4}(?:[.,]\d{1,3})?)"
)
_ORDINAL = r"(?: ?(?:º|ª|\.º|\.ª|er\b|o\b|m[oa]\b|d[oa]\b|t[oa]\b)|\b)"
_SIDE_OF_STAIRS = (
    r"bajo|bj|izq(?:uierda|da|d)?|izda|iz|dcha?|drcha|dcho|der(?:echa)?|[a-z]|p\d|atico|entresuelo|principal|centro|"
    r"exterior|interior|local|esq"
)
_PART = (
    r"esc(?:alera)?|piso|p|pta|puerta|portal|ptal|planta|pl|bloque|blq|bl|apto|apartamento|ap|dpto|depto|dto|casa|int|"
    r"torre|of(?:icina)?|lote|lt|manzana|mz|dep|interior|letra|nº|suite|edif|villa"
)
DOOR = (
    rf"(?:[ ,.-]{{0,3}}(?:\d{{1,3}}(?:-?[a-z]\b|{_ORDINAL}(?: ?-? ?[a-z]\b)?)|"
    rf"(?:{_SIDE_OF_STAIRS}|(?:{_PART})(?:\. ?| )\"?[a-z0-9]{{1,4}}(?:-[a-z0-9])?\"?)\b)[º.ª]?){{0,4}}"
)
# A corner, or the streets between which the house stands.
CORNER = r"(?: (?:e/|entre) ?[a-z0-9. ]{1,20}? y [a-z0-9.]{1,12}\b| esq(?:uina)?\.? (?:con )?(?:calle )?[a-z]{3,14}\b)?"
_QUARTER = r"(?: (?:sur|norte|este|oeste)\b)?"
GRID = (
    rf"\d{{1,3}} ?[a-z]{{0,2}}(?: bis)?{_QUARTER} ?(?:#|n[º.o]{{0,2}}|no\.?|numero|nro\.?|-|con)? {{0,2}}"
    rf"\d{{1,3}} ?[a-z]{{0,2}} ?- ?\d{{1,3}}{_QUARTER}"
)
# Central America numbers streets and counts paces; elsewhere addresses have blocks and lots.
OTHER_GRIDS = (
    r"(?i)\b(\d{1,3}ª? (?:calle|avenida|av\.) [a-z]?\d{1,2}-\d{2}(?: zona \d{1,2})?|"
    r"calle \d{1,3} (?:n[º.o]{1,2}|no\.) ?\d{1,5}(?: e/ ?[a-z0-9]{1,5} y [a-z0-9]{1,5})?|"
    r"(?:mza?\.?|manzana) ?[a-z0-9]{1,3},? (?:casa|lt\.?|lote|villa) ?[a-z0-9]{1,4}\b|"
    r"(?:del? (?:la )?[a-z]{4,14} )?\d{1,3} (?:metros|cuadras|varas|mts) al (?:norte|sur|este|oeste|lago|arriba|abajo)"
    r"(?: de(?:l| la)? [a-z]{3,14})?)"
)
