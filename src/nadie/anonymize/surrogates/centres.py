"""Invented hospitals, health centres and institutions: the kind stays, what it is called after changes.

`Hospital General Universitario Gregorio Marañón` → `Hospital General Universitario Virgen del Espino`;
`Complejo Hospitalario de Navarra` → `Complejo Hospitalario de` and the place that Navarra gave way to.
"""

from __future__ import annotations

import re

from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.surrogates.addresses import Address
from nadie.anonymize.surrogates.centre_words import KINDS, LINKS, is_only_kind
from nadie.anonymize.surrogates.places import Places
from nadie.anonymize.surrogates.spelling import in_case_of, spelled_like
from nadie.labels import Label
from nadie.spanish import tables
from nadie.spanish.folding import key_of, words_of

_LINK = re.compile(r"(?:de las|de los|de la|del|de)\s+", re.IGNORECASE)
_LINK_WITHIN = re.compile(r"\s+(?:de la|del|de)\s+", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’.][^\W\d_]+)*|\d+")
_FACULTIES = ("Medicina", "Farmacia", "Enfermería", "Biología", "Química", "Psicología", "Derecho", "Veterinaria")
_LETTERS = "ABCDEFGHILMNOPRSTUV"
_LONGEST_ACRONYM = 6
_MEDICAL = (Label.HOSPITAL, Label.CENTRO_SALUD)


class Centres:
    """Invents names of places where people are treated, study or work."""

    def __init__(self, key: Key, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str, label: str, address: Address) -> str | None:
        head, link, tail = _split(value)
        if not tail and key_of(head).split(" de ")[0] in ("facultad", "departamento", "catedra"):
            return self._choose(head.split()[0] + " de ", _FACULTIES, value)
        if value.isupper() and value.isalpha() and len(value) <= _LONGEST_ACRONYM:
            return self._acronym(value)
        if not head and label not in _MEDICAL:
            return self._choose("", tables.lines("invented_firms.txt"), value)
        if not tail or (link and key_of(tail) in tables.town_codes()):
            town = self._places.town(tail, address) if tail else self._any_town(address, value)
            joined = f"{head}{link or ' de '}{town}"
            return joined if town and not self._originals.within(joined) else self._named(head, value)
        return self._named(head, value)

    def _named(self, head: str, value: str) -> str | None:
        head = head.rstrip()
        return self._choose(f"{head} " if head else "Hospital ", tables.lines("centres.txt"), value)

    def _acronym(self, value: str) -> str | None:
        drawn = (self._key.characters(_LETTERS, len(value), "acronym", self._scope, value, str(n)) for n in range(20))
        return next((c for c in drawn if c != value and not self._originals.within(c)), None)

    def _choose(self, head: str, pool: tuple[str, ...], value: str) -> str | None:
        identity = ("centre", self._scope, key_of(value))
        chosen = self._key.choose(pool, lambda c: not self._originals.within(head + c), *identity)
        return None if chosen is None else head + spelled_like(in_case_of(chosen, value), value)

    def _any_town(self, address: Address, value: str) -> str | None:
        known = next((town for town in address.towns if town in tables.town_codes()), None)
        return self._places.town(in_case_of((known or key_of(value)).title(), value), address)


def _split(value: str) -> tuple[str, str, str]:
    """The words that say what kind of place it is, the particle after them, and what it is called after."""
    for link in _LINK_WITHIN.finditer(value):
        head, town = value[: link.start()], value[link.end() :]
        if is_only_kind(words_of(head)) and key_of(town) in tables.town_codes():
            return head, link.group(), town
    end = 0
    for match in _WORD.finditer(value):
        word = key_of(match.group())
        if word not in KINDS and word not in LINKS:
            return _cut(value, end)
        end = end if word in LINKS else match.end()
    return value[:end].rstrip(), "", ""


def _cut(value: str, end: int) -> tuple[str, str, str]:
    rest = value[end:].lstrip(" \"'-,.")
    link = _LINK.match(rest)
    tail = rest[link.end() :] if link else rest
    return value[:end], f" {link.group().strip()} " if link else "", tail.strip(" \"'")
