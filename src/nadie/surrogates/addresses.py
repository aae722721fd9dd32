"""Grouping the places of a document into addresses, whose surrogates have to be consistent."""

from __future__ import annotations

import re
from dataclasses import dataclass

from nadie.document import Document, Span
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import key_of, same_length

_PARTS = frozenset({Label.CALLE, Label.TERRITORIO, Label.PAIS, Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
_MOST_PLACES = 50  # more are a list of places, in which each would be compared with all
_WIDEST_GAP = 40
_WIDEST_GAP_TO_COUNTRY = 90  # forms put the birth date between the town and the country
_FIELDS = "cp|c\\.p|prov|provincia|localidad|poblacion|municipio|ciudad|pais|domicilio|direccion|codigo postal|dep|dpto"
_SENTENCE_END = re.compile(rf";|[.!?]\s+(?!(?:{_FIELDS})\b)[^\W\d_]")
_ORIGIN = re.compile(
    r"\b(?:natural|origen|nacid[oa]|nacionalidad|procedencia|proced|nac|oriund[oa]|origin|cruza|vuelo|placas?|matricula|from|lleg\w+|viaj\w+|volvi\w+|regres\w+)\b"
)
_POSTCODE = re.compile(r"(?<!\d)\d{5}(?!\d)")


@dataclass(frozen=True, slots=True)
class Address:
    """The places of one address: the folded names of towns, the postcodes, and the country if it is named."""

    towns: tuple[str, ...]
    postcodes: tuple[str, ...] = ()
    country: str | None = None

    @property
    def province(self) -> str | None:
        """The province that a town is known to lie in, or else the one of a postcode; None abroad."""
        if self.country not in (None, "ES"):
            return None
        known = [code for town in self.towns if (code := tables.town_codes().get(town))]
        known += [code[:2] for code in self.postcodes if "01" <= code[:2] <= "52"]
        return known[0] if known else None


def addresses(document: Document) -> dict[Span, Address]:
    """The address of each place: chains of place spans with little text between them."""
    found: dict[Span, Address] = {}
    chain: list[Span] = []
    for span in (*document.spans, None):
        if span is not None and span.label not in _PARTS:
            continue
        if chain and (span is None or _is_new(document, chain, span)):
            address = _address(document, chain)
            found.update(dict.fromkeys(chain, address))
            chain = []
        if span is not None:
            chain.append(span)
    return found


def _is_new(document: Document, chain: list[Span], span: Span) -> bool:
    """Whether a place begins another address: too far away, after the end of a sentence or a country, one of a list."""
    gap = document.text[chain[-1].end : span.start]
    if len(chain) == _MOST_PLACES or len(gap) > _gap(span) or _SENTENCE_END.search(same_length(gap)):
        return True
    if span.label == Label.PAIS and _ORIGIN.search(same_length(gap)):
        return True  # where somebody comes from is not where the address lies
    is_after_country = any(place.label == Label.PAIS for place in chain) and span.label != Label.PAIS
    return is_after_country and "\n" not in gap and ":" not in gap


def _gap(span: Span) -> int:
    return _WIDEST_GAP_TO_COUNTRY if span.label == Label.PAIS else _WIDEST_GAP


def _address(document: Document, chain: list[Span]) -> Address:
    towns: list[str] = []
    postcodes: list[str] = []
    country: str | None = None
    for span in chain:
        value = document.text_of(span)
        if span.label == Label.TERRITORIO:
            postcodes += _POSTCODE.findall(value)
            towns += [name for piece in re.split(r"[,;()/]|\d+", value) if (name := key_of(piece))]
        elif span.label == Label.PAIS:
            country = country or tables.country_codes().get(key_of(value), "??")
    return Address(tuple(towns), tuple(postcodes), country)
