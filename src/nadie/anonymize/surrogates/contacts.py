"""Invented telephone numbers, mail addresses, web and network addresses."""

from __future__ import annotations

import re

from nadie.anonymize.originals import Originals
from nadie.anonymize.secret import Key
from nadie.anonymize.squash import squash
from nadie.anonymize.surrogates.name_parts import Kind
from nadie.anonymize.surrogates.names import Inventor
from nadie.anonymize.surrogates.people import Person
from nadie.anonymize.surrogates.places import Places
from nadie.spanish import tables
from nadie.spanish.folding import key_of

_DIGITS = "0123456789"
_EXTENSION = re.compile(r"(?i)[\s,;]*(?:ext|extensión|extension|x)\.?\s*:?\s*\d+\s*$")
_ABROAD = re.compile(r"^\s*(?:\+|00)\s*(?!34)")
_SPAIN = re.compile(r"^\s*(?:\+|00)\s*34|^\s*\(34\)")
_LETTERS = re.compile(r"[^\W\d_]+|\d+|[\W_]+")
# Everybody has an address there, so the provider may stay; other domains name an employer.
_PROVIDERS = frozenset(
    "gmail.com hotmail.com hotmail.es yahoo.es yahoo.com outlook.com outlook.es telefonica.net icloud.com live.com "
    "msn.com terra.es ono.com movistar.es wanadoo.es orange.es gmx.es protonmail.com".split()
)
_TRIES_WITH_NAME = 8
_SHORTEST_LOCAL = 4
_EMPLOYER = "correo.example"  # a name that no one can own (RFC 2606)
# Addresses set apart for documentation (RFC 5737, RFC 3849): nobody's machine answers there.
_IPV4 = ("192.0.2", "198.51.100", "203.0.113")
_IPV6 = "2001:db8"


class Contacts:
    """Invents ways to reach people, in agreement with their new names and places."""

    def __init__(self, key: Key, scope: str, originals: Originals, places: Places, inventor: Inventor) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places
        self._inventor = inventor

    def phone(self, value: str) -> str | None:
        """The same form; a landline gets the prefix of the new province, a mobile number stays a mobile number."""
        extension = _EXTENSION.search(value)
        main = value[: extension.start()] if extension else value
        digits = "".join(c for c in main if c.isdigit())
        if len(digits) < 5:
            return None
        spain = _SPAIN.match(main) or (len(digits) == 11 and digits.startswith("34"))
        country = digits[: 4 if digits.startswith("0034") else 2] if spain else ""
        country = digits[:4] if _ABROAD.match(main) else country
        number = digits[len(country) :]
        for attempt in range(20):
            new = country + self._number(number, str(attempt))
            tail = self._digits(extension.group(), number + "ext", str(attempt)) if extension else ""
            written = _fill(_regrouped(main, number, new[len(country) :]), new) + tail
            if not self._originals.within(written) and squash(written) != squash(value):
                return written
        return None

    def _number(self, number: str, attempt: str) -> str:
        identity = ("phone", self._scope, number, attempt)
        prefix = self._prefix(number)
        return prefix + self._key.characters(_DIGITS, len(number) - len(prefix), *identity)

    def _prefix(self, number: str) -> str:
        if len(number) != 9 or number[0] not in "6789":
            return number[:1] if number[0] != "0" else number[:2]
        if number[0] in "67":
            return number[0] + self._key.characters("12345678", 1, "mobile", self._scope, number)
        for province in tables.provinces().values():
            for prefix in province.prefixes:
                if number.startswith((prefix, f"8{prefix[1:]}")):
                    new = tables.provinces()[self._places.new_code(province.code)].prefixes[0]
                    return number[0] + new[1:]
        return number[:2]

    def _digits(self, text: str, *identity: str) -> str:
        digits = self._key.characters(_DIGITS, 12, "digits", self._scope, *identity)
        return _fill(text, digits[: sum(c.isdigit() for c in text)])

    def mail(self, value: str, persons: list[Person]) -> str | None:
        """An address made of the new name just as the old one was made of the old name."""
        local, at, domain = value.partition("@")
        if not at or not local or not domain:
            return None
        new_domain = domain if domain.lower() in _PROVIDERS else _EMPLOYER
        for attempt in range(20):
            made = self._local(local, persons, str(attempt))
            if made and squash(made) != squash(local) and not self._originals.within(f"{made}@{new_domain}"):
                return f"{made}@{new_domain}"
        return None

    def _local(self, local: str, persons: list[Person], attempt: str) -> str:
        fits = [(_fits(local, person), -place, person) for place, person in enumerate(persons)]
        best = max(fits, default=None, key=lambda fit: fit[:2])
        extra = self._key.characters(_DIGITS, 2, "mail", self._scope, key_of(local), attempt) if attempt != "0" else ""
        invented = self._inventor.parts_of(best[2]) if best is not None else None
        if best is None or invented is None or int(attempt) > _TRIES_WITH_NAME:
            letters = self._key.characters("abcdefgilmnoprstuv", 6, "mail", self._scope, key_of(local), attempt)
            return letters + extra
        if best[0] == 0:
            given, surnames = best[2].given[:1], best[2].surnames[:1]
            parts = [key_of(invented[Kind.GIVEN, g])[:1] for g in given] + [
                key_of(invented[Kind.SURNAME, s]) for s in surnames
            ]
            return _safe("".join(parts)) + extra
        made = _safe(self._respell(local, best[2], attempt))
        if len(made) < _SHORTEST_LOCAL:
            made += "".join(squash(invented[Kind.SURNAME, s]) for s in best[2].surnames[:1])
        return made + extra

    def _respell(self, local: str, person: Person, attempt: str) -> str:
        invented = self._inventor.parts_of(person) or {}
        made: list[str] = []
        for match in _LETTERS.finditer(local):
            run = match.group()
            if run[0].isdigit():
                made.append(
                    self._key.characters(_DIGITS, min(len(run), 12), "mail", self._scope, key_of(local), attempt)
                )
            elif run[0].isalpha():
                made.append("".join(_piece(old, invented, kind) for old, kind in _pieces(key_of(run), person)))
            else:
                made.append(run if run in "._-+" else "")
        return "".join(made)

    def web(self, value: str) -> str | None:
        """A page of a domain that nobody can own, as deep as the original."""
        scheme = re.match(r"(?i)(?:https?|ftp)://", value)
        word = self._key.characters("abcdefgilmnoprstuv", 8, "web", self._scope, key_of(value))
        depth = value[scheme.end() if scheme else 0 :].rstrip("/").count("/")
        start = scheme.group() if scheme else ""
        www = "www." if "www." in value.lower() else ""
        return f"{start}{www}{word}.example{'/pagina' * min(depth, 4)}{'/' if value.endswith('/') else ''}"

    def network(self, value: str) -> str | None:
        """An address of the ranges set apart for documentation."""
        identity = ("network", self._scope, value.lower())
        if re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", value):
            return f"{_IPV4[self._key.number(3, *identity)]}.{1 + self._key.number(254, *identity, 'host')}"
        if value.count(":") >= 2 and re.fullmatch(r"[0-9A-Fa-f:.]+", value):
            return f"{_IPV6}::{self._key.characters('0123456789abcdef', 4, *identity)}"
        return None


def _fill(text: str, digits: str) -> str:
    """The text with its digits, one after the other, replaced by `digits`."""
    rest = iter(digits)
    return "".join(next(rest, c) if c.isdigit() else c for c in text)


def _regrouped(main: str, old: str, new: str) -> str:
    """`91 123 45 67` has its prefix apart; with a prefix of three figures that is `976 12 34 56`."""
    groups = [len(group) for group in re.findall(r"\d+", main)]
    if groups[-4:] == [2, 3, 2, 2] and new[:2] not in ("91", "93", "81", "83"):
        first, second = [match.span() for match in re.finditer(r"\d+", main)][-4:-2]
        between = main[first[1] : second[0]]
        return main[: first[1]] + "0" + between + main[second[0] + 1 :]
    return main


def _fits(local: str, person: Person) -> int:
    """How many letters of a mail address come from the person's name."""
    runs = [key_of(run) for run in _LETTERS.findall(local) if run[0].isalpha()]
    return sum(len(old) for run in runs for old, kind in _pieces(run, person) if kind is not None and len(old) > 1)


def _pieces(run: str, person: Person) -> list[tuple[str, tuple[Kind, str] | None]]:
    """A run of letters cut into the person's names, beginnings of them, and what is neither (None)."""
    names = [(key.replace(" ", ""), (Kind.GIVEN, key)) for key in person.given]
    names += [(key.replace(" ", ""), (Kind.SURNAME, key)) for key in person.surnames]
    pieces: list[tuple[str, tuple[Kind, str] | None]] = []
    at = 0
    while at < len(run):
        fits = [(_shared(run[at:], name), whose) for name, whose in names if name[0] == run[at]]
        length, name = max(fits, default=(0, None), key=lambda fit: fit[0])
        if length >= 3 or (length and (at == 0 or len(run) <= 4)):
            pieces.append((run[at : at + length], name))
            at += length
        else:
            pieces.append((run[at], None))
            at += 1
    return pieces


def _shared(run: str, name: str) -> int:
    """How long a beginning the two have in common."""
    length = 0
    while length < min(len(run), len(name)) and run[length] == name[length]:
        length += 1
    return length


def _piece(old: str, invented: dict[tuple[Kind, str], str], name: tuple[Kind, str] | None) -> str:
    if name is None:
        return ""
    new = squash(invented.get(name, ""))
    return new if len(old) == len(name[1].replace(" ", "")) else new[: len(old)]


def _safe(local: str) -> str:
    return local.strip("._-+") or "x"
