"""Contacts in an output that nadie has not written: whoever releases surrogates sees by them what was missed.

Invented telephones, mail addresses, pages and network addresses come from ranges that belong to nobody, so that nobody
is called or written to. This also means that a real one stands out among them: to an attacker, and to this check.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import phonenumbers
import re2

from nadie.document import Span
from nadie.labels import Label

_MAIL = re2.compile(r"[\pL\pN._%+-]+@([\pL\pN.-]+\.\pL+)")
_PAGE = re2.compile(r"(?i)\b(?:https?://|www\.)([\pL\pN.-]+\.\pL+)[^\s<>\"']*")
_NETWORK = re2.compile(r"\b(\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3})\b")
_RESERVED = re.compile(r"(?i)(?:.*\.)?(?:example(?:\.(?:com|org|net))?|test|invalid|localhost)")
_DOCUMENTATION = ("192.0.2.", "198.51.100.", "203.0.113.", "127.0.0.1")
_FICTION = re.compile(r"\d{3}55501\d\d")  # the United States and their neighbours
_MOST_NUMBER = 255


def not_ours(text: str) -> Iterator[Span]:
    """The telephones, mail addresses, pages and network addresses outside the ranges that nadie draws from."""
    for found in _MAIL.finditer(text):
        if not _RESERVED.fullmatch(found[1]):
            yield Span(found.start(), found.end(), Label.CORREO_ELECTRONICO)
    for found in _PAGE.finditer(text):
        if not _RESERVED.fullmatch(found[1].removeprefix("www.")):
            yield Span(found.start(), found.end(), Label.URL_WEB)
    for found in _NETWORK.finditer(text):
        is_address = all(int(part) <= _MOST_NUMBER for part in found[1].split("."))
        if is_address and not found[1].startswith(_DOCUMENTATION):
            yield Span(found.start(), found.end(), Label.DIREC_PROT_INTERNET)
    for match in phonenumbers.PhoneNumberMatcher(text, "ES"):
        if not (match.number.country_code == 1 and _FICTION.fullmatch(str(match.number.national_number))):
            yield Span(match.start, match.end, Label.NUMERO_TELEFONO)
