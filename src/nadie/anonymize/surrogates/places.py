"""Invented towns, provinces and postcodes that agree with one another.

A province is replaced by another one, always the same in a scope, its towns by towns of the new province, and its
postcodes and telephone prefixes by those of the new province. Towns abroad are replaced by towns of the same country.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from nadie.anonymize.decision import KEEP, REFUSE, Outcome
from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.addresses import Address, addresses
from nadie.anonymize.surrogates.spelling import spelled_like
from nadie.document import Document, Span
from nadie.spanish import tables
from nadie.spanish.folding import key_of, same_length

_POSTCODE = re.compile(r"(?<!\d)\d{5}(?!\d)")
_BREAK = re.compile(r"\s*[,;()/]\s*|\s+-\s+")
_PROVINCE_BEFORE = re.compile(r"(?<!localidad/ )(?<!localidad/)(?:provincia|prov)(?: de)?\W*$")
_LONGEST_CODE = 3
_LONGEST_PREFIX = 2  # the E of E-28012
_LETTERS = "ABCDEFGHILMNOPRSTUV"
_ONE_TOWN = ("51", "52")  # Ceuta and Melilla have no second town to draw


class Places:
    """The geography of one document after replacement. `within` is `country`, or `province` to stay in each."""

    def __init__(self, document: Document, key: Key, scope: str, originals: Originals, within: str) -> None:
        self.document = document
        self.key = key
        self.scope = scope
        self.originals = originals
        self.within = within
        self._addresses = addresses(document)
        self._codes: dict[str, str] = {}
        self._countries = {town: a.country for a in self._addresses.values() if a.country for town in a.towns}

    def address(self, span: Span) -> Address:
        """The address that a place span is part of."""
        return self._addresses.get(span, Address(()))

    def new_code(self, code: str) -> str:
        """The province that takes the place of a province."""
        if code not in self._codes:
            self._codes[code] = self._choose_code(code)
        return self._codes[code]

    def _choose_code(self, code: str) -> str:
        if self.within == "province" and code not in _ONE_TOWN:
            return code
        region = tables.provinces()[code].region
        others = [p for p in tables.provinces().values() if p.region != region and p.code not in _ONE_TOWN]
        free = self.key.choose(others, lambda p: not self.originals.within(f"{p.name}. {p.capital}"), *self._of(code))
        return (free or others[0]).code

    def _of(self, *identity: str) -> tuple[str, ...]:
        return ("place", self.scope, *identity)

    def territory(self, span: Span) -> Outcome:
        """What takes the place of a span of type TERRITORIO."""
        value = self.document.text_of(span)
        before = self.document.text[max(0, span.start - 30) : span.start]
        new = self._rewrite(value, self.address(span), before)
        if new is None:
            return REFUSE
        return KEEP if new == value and self.within == "province" else new

    def _rewrite(self, value: str, address: Address, before: str) -> str | None:
        pieces = _BREAK.split(value) if key_of(value) not in tables.town_codes() else [value]
        for piece in filter(None, pieces):
            new: str | None = piece
            for code in _POSTCODE.findall(piece):
                new = new and new.replace(code, self.postcode(code, address))
            name = _POSTCODE.sub("", piece).strip()
            if any(c.isdigit() for c in name):
                digits = self.key.characters("0123456789", 20, *self._of("code", key_of(value)))
                new = new and "".join(digits[i % 20] if c.isdigit() else c for i, c in enumerate(new))
            elif name and (name == piece or len(key_of(name)) > _LONGEST_PREFIX):
                town = self.town(name, address, before)
                new = new and town and new.replace(name, town)
            if new is None:
                return None
            value = value.replace(piece, new, 1)
        return value

    def town(self, name: str, address: Address, before: str = "") -> str | None:
        """The town, province or region that takes the place of `name`."""
        folded = key_of(name)
        if address.country is None and folded in self._countries:
            address = replace(address, country=self._countries[folded])
        if name.isupper() and name.isalpha() and len(name) <= _LONGEST_CODE:
            return self._letters(name)
        if folded in tables.regions() and folded not in tables.province_codes():
            return spelled_like(self._region(folded, address), name)
        code = tables.town_codes().get(folded)
        if code is None and folded not in tables.regions():
            code = address.province
        country = _abroad(folded, code, address)
        if country is not None:
            pool = tables.towns_abroad().get(country) or tables.towns_abroad()["FR"]
            return self._draw(name, pool, folded)
        if code is None:
            pool = tables.drawn_towns(self._anywhere(folded))
            return self._draw(name, pool, folded)
        province = tables.provinces()[self.new_code(code)]
        if self._is_province(folded, address, before):
            return spelled_like(province.name, name, tables.provinces()[code].name)
        if folded in tables.capital_codes() and self.within == "country":
            if not self.originals.within(province.capital):
                return spelled_like(province.capital, name, tables.provinces()[code].capital)
            return self._draw(name, tables.drawn_towns(province.code), f"capital of {code}")
        return self._draw(name, tables.drawn_towns(province.code), folded)

    def _letters(self, name: str) -> str | None:
        """For a region's code, such as CA or SLP, other letters."""
        drawn = (self.key.characters(_LETTERS, len(name), *self._of("letters", name, str(n))) for n in range(20))
        return next((code for code in drawn if code != name and not self.originals.within(code)), None)

    def _draw(self, name: str, pool: Sequence[str], identity: str) -> str | None:
        """A town that is nowhere in the document."""
        own = key_of(name)
        free = self.key.choose(pool, lambda c: key_of(c) != own and not self.originals.within(c), *self._of(identity))
        return None if free is None else spelled_like(free, name)

    def _anywhere(self, folded: str) -> str:
        codes = [code for code in tables.provinces() if code not in _ONE_TOWN]
        return codes[self.key.number(len(codes), *self._of("anywhere", folded))]

    def _is_province(self, folded: str, address: Address, before: str) -> bool:
        """Whether the name means the province: by its name, by the form, or as in `Móstoles, Madrid`."""
        if folded not in tables.province_codes():
            return False
        if folded not in tables.capital_codes() or _PROVINCE_BEFORE.search(same_length(before)):
            return True
        return any(t != folded and tables.town_codes().get(t) == tables.town_codes()[folded] for t in address.towns)

    def _region(self, folded: str, address: Address) -> str:
        own = tables.regions()[folded]
        codes = [p.code for p in tables.provinces().values() if p.region == own]
        if address.province in codes:
            return tables.provinces()[self.new_code(address.province or "")].region
        free = [
            r for r in dict.fromkeys(tables.regions().values()) if r != own and key_of(r) not in tables.town_codes()
        ]
        return self.key.choose(free, lambda r: not self.originals.within(r), *self._of(folded)) or free[0]

    def postcode(self, code: str, address: Address) -> str:
        """A postcode of the new province: of its capital (0xx) when the address is in a capital, else of a town.

        A town that is no capital has one postcode, whichever the original town had.
        """
        is_abroad = address.country not in (None, "ES") or not "01" <= code[:2] <= "52"
        start = code[0] if is_abroad else self.new_code(address.province or code[:2])
        town = self.town(address.towns[0], address) if address.towns and not is_abroad else None
        capital = town is not None and key_of(town) == key_of(tables.provinces()[start].capital)
        every = range(10000) if is_abroad else range(100, 1000)
        usual = every if is_abroad else range(1, 31) if capital else range(100, 1000, 10)
        identity = self._of("postcode", code if capital or town is None else key_of(town))
        for pool in (usual, every):
            free = self.key.choose(pool, lambda n: not self.originals.within(_code(start, n)), *identity)
            if free is not None:
                return _code(start, free)
        return _code(start, every[0])


def _abroad(folded: str, code: str | None, address: Address) -> str | None:
    """The country of a town that does not lie in Spain, as far as the address or the tables tell."""
    if address.country not in (None, "ES"):
        return address.country
    known = tables.countries_of_towns().get(folded) or tables.country_codes().get(folded)
    return known if code is None and known != "ES" else None


def _code(start: str, number: int) -> str:
    return f"{start}{number:0{5 - len(start)}d}"
