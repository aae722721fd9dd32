"""Invented web and network addresses."""

from __future__ import annotations

import re

from nadie.spanish.folding import key_of
from nadie.spanish.word_lists import Lists
from nadie.surrogates.draws import Draws
from nadie.surrogates.spelling import in_case_of

_LISTS = Lists("contacts", "nadie.surrogates")

# Addresses set apart for documentation (RFC 5737, RFC 3849): nobody's machine answers there.
_IPV4 = ("192.0.2", "198.51.100", "203.0.113")
_IPV6 = "2001:db8"
_MAC = re.compile(r"(?i)[0-9a-f]{2}(?:[:-]?[0-9a-f]{2}){5}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}")
_NAME = re.compile(r"(?i)(?:dirección\s+)?(?:IP|IPv[46]|MAC)[\s:]+")
_OCTET = r"(?:25[0-5]|2[0-4]\d|1?\d?\d)"
_WRITTEN_IPV4 = re.compile(rf"{_OCTET}(?:\.{_OCTET}){{3}}")
_WRITTEN_IPV6 = re.compile(
    r"(?i)[0-9a-f]{1,4}(?:::?[0-9a-f]{1,4}){3,7}|[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){0,5}::[0-9a-f:]{0,30}"
)
_WRITTEN_MAC = re.compile(r"(?i)[0-9a-f]{2}(?:([:-])[0-9a-f]{2})(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2}")
_MAC_START = "00005e0053"  # RFC 7042
_HEXADECIMAL = "0123456789abcdef"


class Contacts:
    """Invents addresses of machines and pages."""

    def __init__(self, key: Draws, scope: str) -> None:
        self._key = key
        self._scope = scope

    def web(self, value: str) -> str | None:
        """A page of a reserved domain, with a path as long as the original's."""
        scheme = re.match(r"(?i)(?:https?|ftp)://", value)
        identity = ("web", self._scope, key_of(value))
        words = (_LISTS["kinds of page"], _LISTS["themes"])
        word = "-".join(entries[self._key.number(len(entries), *identity, entries[0])] for entries in words)
        parts = value[scheme.end() if scheme else 0 :].rstrip("/").split("/")[1:]
        start = scheme.group() if scheme else ""
        www = "www." if "www." in value.lower() else ""
        path = "".join(f"/{self._part_of_path(part, (*identity, str(n)))}" for n, part in enumerate(parts[:4]))
        return in_case_of(f"{start}{www}{word}.example{path}{'/' if value.endswith('/') else ''}", value)

    def _part_of_path(self, part: str, identity: tuple[str, ...]) -> str:
        """Digits for a number; otherwise a common word in web addresses."""
        if part.isdigit():
            return self._key.characters("123456789", min(len(part), 8), *identity)
        return _LISTS["paths"][self._key.number(len(_LISTS["paths"]), *identity)]

    def machine(self, value: str) -> str | None:
        """Another address if the value is surely that of a machine, with or without its name: `IP 10.1.2.3`."""
        if not any(sign in value for sign in ".:-"):
            return None
        start = named.end() if (named := _NAME.match(value)) else 0
        address = value[start:]
        if not (
            _WRITTEN_IPV4.fullmatch(address) or _WRITTEN_MAC.fullmatch(address) or _WRITTEN_IPV6.fullmatch(address)
        ):
            return None
        return value[:start] + str(self.network(address))

    def network(self, value: str) -> str | None:
        """An address of the ranges set apart for documentation."""
        identity = ("network", self._scope, value.lower())
        if re.fullmatch(r"\d{1,3}(?:\.\d{1,3}){3}", value):
            return f"{_IPV4[self._key.number(3, *identity)]}.{1 + self._key.number(254, *identity, 'host')}"
        if _MAC.fullmatch(value):
            new = _MAC_START + self._key.characters(_HEXADECIMAL, 2, *identity)
            return in_case_of(_fill_hexadecimal(value, new), value)
        if value.count(":") >= 2 and re.fullmatch(r"[0-9A-Fa-f:.]+", value):
            return f"{_IPV6}::{self._key.characters(_HEXADECIMAL, 4, *identity)}"
        return self.web(value) if "." in value and " " not in value.strip() else None


def _fill_hexadecimal(text: str, digits: str) -> str:
    rest = iter(digits)
    return "".join(next(rest, c) if c.isalnum() else c for c in text)
