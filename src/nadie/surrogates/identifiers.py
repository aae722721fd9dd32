"""Invented numbers of documents, cards, accounts and machines, in the form of the original.

A number is drawn from the key, never computed from the digits of the original alone, so without the key neither can be
inferred from the other. Numbers with check digits get valid ones; in other numbers digits are replaced by digits and
letters by letters.
"""

from __future__ import annotations

import re

from nadie.labels import Label
from nadie.spanish.check_digits import CONSONANTS
from nadie.spanish.lexicon import Lexicon
from nadie.spanish.squashing import squash
from nadie.surrogates.check_digits import Draw, form_of
from nadie.surrogates.draws import Draws
from nadie.surrogates.originals import Originals
from nadie.surrogates.places import Places
from nadie.surrogates.spoken import respoken

_DIGITS = "0123456789"
_TRIES = 30
_LOWER = re.compile(r"(?<![\w.@-])[^\W\d_]{4,}(?![\w.@-])")
_VENEZUELAN = re.compile(r"[VE][- ]?\d{1,2}\.\d{3}\.\d{3}")  # the letter distinguishes nationals from foreigners
_CHILEAN = re.compile(r"\d{1,2}\.\d{3}\.\d{3}-[Kk]")  # no other letter is a check digit
_SCANNED = re.compile(r"(?<![^\W\d_])[OolI]*\d[\dOolI]*(?=[A-Z]?(?![^\W\d_]))")
_MODEL = re.compile(r"(?<![^\W\d_])[A-Z][a-z]{2,}[A-Za-z]*")
_CAPITALS = re.compile(r"(?<![^\W\d_])[A-Z]{5,}(?![^\W\d_])")  # `PC-TRIAJE-07`
_USUAL = 6  # of the lexicon's rarity


class Identifiers:
    """Invents numbers in one scope."""

    def __init__(self, key: Draws, scope: str, originals: Originals, places: Places) -> None:
        self._key = key
        self._scope = scope
        self._originals = originals
        self._places = places

    def rewrite(self, value: str, label: str) -> str | None:
        """Another number in the same form; None if the value has no digit."""
        compact = squash(value).upper()
        if not any(c.isdigit() for c in compact):
            return respoken(value, self._key, self._scope)
        if len(compact) < 3:
            return None
        form = form_of(value, label)
        for attempt in range(_TRIES):
            new = (
                form.invent(compact, self._draw(compact, attempt))
                if form
                else self._like(value, compact, label, attempt)
            )
            written = _fill(value, new, _words(value, label))
            is_same_shape = form is None or attempt > _TRIES // 2 or _shape(written) == _shape(value)
            if is_same_shape and squash(written) != squash(value) and not self._originals.within(written):
                return written
        return None

    def _draw(self, compact: str, attempt: int) -> Draw:
        place = 0

        def draw(alphabet: str, count: int) -> str:
            nonlocal place
            place += 1
            return self._key.characters(alphabet, count, "number", self._scope, compact, f"{attempt}.{place}")

        return draw

    def _like(self, value: str, compact: str, label: str, attempt: int) -> str:
        """Digits for digits, letters for letters; a college's number begins with the code of a province."""
        draw = self._draw(compact, attempt)
        figures, letters = iter(draw(_DIGITS, len(compact))), iter(draw(CONSONANTS, len(compact)))
        figure_at = _figures_in(value)
        is_figure = figure_at if len(figure_at) == len(compact) else [c.isdigit() for c in compact]
        new = "".join(next(figures if figure else letters) for figure in is_figure)
        if compact[0].isdigit() and compact[0] != "0":
            new = draw("123456789", 1) + new[1:]
        if _VENEZUELAN.fullmatch(value):
            return compact[0] + new[1:]
        if _CHILEAN.fullmatch(value):
            return new[:-1] + compact[-1]
        if label == Label.ID_TITULACION_PERSONAL_SANITARIO:
            return _college(compact, new, self._places)
        return new


def _shape(value: str) -> list[bool]:
    """Which characters are digits. Surrogates keep it: a rare check letter would reveal the form of a number."""
    return [character.isdigit() for character in value]


def _college(compact: str, new: str, places: Places) -> str:
    """`28 28 70973`: the province of the college, that of the first inscription, the number."""
    if len(compact) < 7 or not compact.isdigit():
        return new
    codes = [compact[0:2], compact[2:4] if len(compact) >= 8 else ""]
    start = ""
    for code in codes:
        start += places.new_code(code) if "01" <= code <= "52" else new[len(start) : len(start) + len(code)]
    return start + new[len(start) :]


def _figures_in(value: str) -> list[bool]:
    """For each letter and digit, whether it is a digit, or a letter in place of one after OCR: `44O18`, `4l8`."""
    scanned = {place for match in _SCANNED.finditer(value) for place in range(*match.span())}
    signs = ((place, sign) for place, sign in enumerate(value) if sign.isalnum() and sign not in "ºª")
    return [sign.isdigit() or place in scanned for place, sign in signs]


def _words(value: str, label: str) -> frozenset[int]:
    """The positions of common words that name the kind of number and identify nobody: `huella 44-AB`.

    The names of devices stay as well: `IntelliVue-60962`.
    """
    found = [m for m in _LOWER.finditer(value) if Lexicon.shared().rarity(m.group()) <= _USUAL]
    if label == Label.IDENTIF_DISPOSITIVOS_NRSERIE:
        found += _MODEL.finditer(value)
        found += (m for m in _CAPITALS.finditer(value) if Lexicon.shared().rarity(m.group().lower()) <= _USUAL)
    return frozenset(place for match in found for place in range(*match.span()))


def _fill(value: str, new: str, kept: frozenset[int]) -> str:
    """`value` with its letters and digits, one after the other, replaced by those of `new`, in the same case."""
    rest = iter(new)
    made = []
    for place, character in enumerate(value):
        if not character.isalnum() or character in "ºª":
            made.append(character)
            continue
        drawn = next(rest, "0")
        made.append(character if place in kept else drawn.lower() if character.islower() else drawn)
    return "".join(made)
