"""Invented telephone numbers in the form of the original, from ranges that are not assigned to anybody.

The country code is kept. Spain reserves no numbers for fiction, so prefixes are used that its numbering plan does not
assign: 75, 76, 77 and 79 for mobile numbers, and 929, 940, 970, 989 and 991 to 998 for landlines, one of them
for each province. The United States and their neighbours have 555-01xx. Elsewhere digits are drawn until
libphonenumber's plan of the country says that there is no such number.
"""

from __future__ import annotations

import re

import phonenumbers

from nadie.spanish import tables
from nadie.spanish.squashing import squash
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.places import Places
from nadie.surrogates.spoken import respoken

_DIGITS = "0123456789"
_EXTENSION = re.compile(r"(?i)[\s,;]*(?:extensión|extension|ext|x)\.?\s*:?\s*\d+\s*$")
_SHORTEST = 5
_READ_AS = str.maketrans("OoIlSBZ", "0011582")  # after OCR: `7OO S942 O`
_FEWEST_READ = 3  # figures beside such letters
_MOBILE = ("75", "76", "77", "79")
_LANDLINES = ("929", "940", "970", "989", "991", "992", "993", "994", "995", "996", "997", "998")
_SPAIN, _AMERICA = "34", "1"
_NORTH = ("US", "PR", "DO")  # whose numbers have the code 1
_ISLANDS = ("787", "939", "809", "829", "849")  # all of Puerto Rico and of the Dominican Republic
_TRIES = 40


class Phones:
    """Invents telephone numbers in one scope."""

    def __init__(self, key: Draws, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str) -> str | None:
        """Another number in the same form; None if the value has no number."""
        extension = _EXTENSION.search(value)
        main = _as_figures(value[: extension.start()] if extension else value)
        digits = "".join(c for c in main if c.isdigit())
        if not digits:
            return respoken(value, self._key, self._scope)
        start, code = _country(main, digits)
        number = digits[len(start) :]
        if len(digits) < _SHORTEST or not number:
            return self._short(value)
        for attempt in range(20):
            new = self._number(number, code, str(attempt))
            tail = self._filled(extension.group(), number, str(attempt)) if extension else ""
            written = _fill(_regrouped(main, new), start + new) + tail
            if not self._originals.within(written) and squash(written) != squash(value):
                return written
        return None

    def _short(self, value: str) -> str | None:
        """The replacement of an extension or of the last digits of a number."""
        made = (self._filled(value, "short", squash(value), str(n)) for n in range(20))
        return next((new for new in made if new != value and new.strip()[:1] != "0"), None)

    def _filled(self, text: str, *identity: str) -> str:
        return _fill(text, self._key.characters(_DIGITS, sum(map(str.isdigit, text)), "phone", self._scope, *identity))

    def _number(self, number: str, code: str, attempt: str) -> str:
        identity = ("phone", self._scope, number, attempt)
        drawn = self._key.characters(_DIGITS, len(number), *identity)
        is_spanish = len(number) == 9 and number[0] in "6789" and code in ("", _SPAIN)
        if is_spanish:
            prefix = self._mobile(number) if number[0] in "67" else self._landline(number)
            return prefix + drawn[len(prefix) :]
        is_american = code == _AMERICA or (not code and self._places.country in _NORTH)
        if is_american and len(number) == 10:
            area = number[:3] if number[:3] in _ISLANDS else f"{number[0]}{drawn[:2]}"
            return f"{area}55501{drawn[2:4]}"
        return self._nowhere(number, code, drawn, *identity)

    def _mobile(self, number: str) -> str:
        return _MOBILE[self._key.number(len(_MOBILE), "mobile", self._scope, number)]

    def _landline(self, number: str) -> str:
        """An unassigned prefix, the same for all numbers of a province."""
        for province in tables.provinces().values():
            if any(number.startswith((prefix, f"8{prefix[1:]}")) for prefix in province.prefixes):
                number = self._places.new_code(province.code)
                break
        return _LANDLINES[self._key.number(len(_LANDLINES), "landline", self._scope, number[:3])]

    def _nowhere(self, number: str, code: str, drawn: str, *identity: str) -> str:
        """Digits that are no valid number in that country; as many of the first digits as possible are kept."""
        for kept in (2, 1, 0) if code else (1,):
            for attempt in range(_TRIES if code else 1):
                drawn = self._key.characters(_DIGITS, len(number), *identity, str(kept), str(attempt))
                new = number[:kept] + drawn[kept:]
                if not code or not _exists(code, new):
                    return new
        return drawn


def _as_figures(main: str) -> str:
    """A number with figures where OCR left letters, if it has no other letters."""
    letters = {sign for sign in main if sign.isalpha()}
    is_misread = letters and all(ord(sign) in _READ_AS for sign in letters)
    return main.translate(_READ_AS) if is_misread and sum(map(str.isdigit, main)) >= _FEWEST_READ else main


def _exists(code: str, number: str) -> bool:
    return bool(phonenumbers.is_valid_number(phonenumbers.PhoneNumber(int(code), int(number))))


def _country(main: str, digits: str) -> tuple[str, str]:
    """The digits before the national number, and the code of the country among them."""
    opened = re.match(r"\s*(?:\+|00|\()\s*", main)
    skip = "00" if opened and opened.group().strip() == "00" else ""
    rest = digits[len(skip) :]
    if opened is None:
        return (_SPAIN, _SPAIN) if len(digits) == 11 and digits.startswith(_SPAIN) else ("", "")
    is_bracket = opened.group().strip() == "("
    for length in (1, 2, 3):
        is_code = int(rest[:length] or 0) in phonenumbers.COUNTRY_CODE_TO_REGION_CODE
        if is_code and (not is_bracket or re.match(rf"\s*\(\+?{rest[:length]}\)", main)):
            return skip + rest[:length], rest[:length]
    return "", ""


def _fill(text: str, digits: str) -> str:
    """The text with its digits, one after the other, replaced by `digits`."""
    rest = iter(digits)
    return "".join(next(rest, c) if c.isdigit() else c for c in text)


def _regrouped(main: str, new: str) -> str:
    """`91 123 45 67` with room for a prefix of three digits: `910 23 45 67`."""
    groups = [len(group) for group in re.findall(r"\d+", main)]
    if groups[-4:] == [2, 3, 2, 2] and len(new) == 9 and new[0] in "89":
        first, second = [match.span() for match in re.finditer(r"\d+", main)][-4:-2]
        between = main[first[1] : second[0]]
        return main[: first[1]] + "0" + between + main[second[0] + 1 :]
    return main
