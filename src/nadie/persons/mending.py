"""Mending names that a scan broke: `MARC0NE`, `Car1os`, `Wi lber`."""

from __future__ import annotations

import re
from functools import lru_cache

from nadie.spanish.folding import SHORT, key_of
from nadie.spanish.names import PARTICLES, SAINTS
from nadie.spanish.population import bearers, is_named_elsewhere, surname_bearers

NAME_PARTICLES = PARTICLES - {"d"} | SAINTS
_CONSONANT = "[bcdfghjkmnpqrstvwxyzñ]"
_SCANNED = re.compile(
    r"(?<=[^\W\d_])[01](?=[^\W\d_])|(?<=[a-zñ])[34](?=[a-zñáéíóú])|(?<=[^\W\d_]{3})[01](?![\w.])|(?<!\w)0(?=[^\W\d_]{3})"
    r"|(?<=[A-ZÑ])l(?=[A-ZÑ0])|(?<=[A-ZÑ]{2})l\b|\bl(?=[A-ZÑ]{2})"
    r"|(?<![A-Z][a-z] )(?<![A-Z][a-z]{2} )\bl(?=[bcdfgjkmnpqrstvxz][a-zñáéíóú]{2})"
)
_NOT_WORD = re.compile(r"[\W_]")
_LETTER_OF = {"0": "oO", "1": "lI", "l": "II", "3": "eE", "4": "aA"}
_BETWEEN_CONSONANTS = re.compile(rf"(?i)(?<={_CONSONANT})1(?={_CONSONANT})")  # `mototax1sta`


# The signs of a text from a Macintosh that was read as one from Windows, where no other text has them.
_MACINTOSH = str.maketrans("‡Ž’—œ–„çƒêîòŸ†", "áéíóúñÑÁÉÍÓÚüÜ")
_FROM_MACINTOSH = re.compile(
    rf"(?i)(?<=[a-z])[‡†](?=[a-z]|\b)|(?-i:(?<=[a-z])Ž|(?<=[a-z])[–—](?=[a-z])|(?<=[a-z])’(?={_CONSONANT})|œ[–—]|\bç[a-z])"
)


def as_letters(value: str) -> str:
    """The text with letters in place of digits from OCR errors (`MARC0NE`) and of wrongly read signs (`JosŽ`)."""
    return _short_as_letters(value) if len(value) <= SHORT else _as_letters(value)


@lru_cache(1 << 12)
def _short_as_letters(value: str) -> str:
    return _as_letters(value)


def _as_letters(value: str) -> str:
    if not value.isascii() and _FROM_MACINTOSH.search(value):
        value = value.translate(_MACINTOSH)
    value = _BETWEEN_CONSONANTS.sub(lambda found: "iI"[_is_upper(value, found.start())], value)
    return _SCANNED.sub(lambda found: _LETTER_OF[found.group()][_is_upper(value, found.start())], value)


def _is_upper(value: str, place: int) -> bool:
    """Whether the letter at a place is a capital: at the beginning of a word, and in one that is in capitals."""
    start, end = _NOT_WORD.search(value[::-1], len(value) - place), _NOT_WORD.search(value, place)
    word = value[len(value) - start.start() if start else 0 : end.start() if end else len(value)].replace("l", "")
    is_first = place == 0 or not value[place - 1].isalnum()
    return is_first or 2 * sum(map(str.isupper, word)) > sum(map(str.isalpha, word))


def mended(words: list[tuple[int, int, str]], value: str) -> list[tuple[int, int, str]]:
    """The words with the pieces of one that a scan or a recogniser broke put together: `Wi lber`, `GL ADYS`."""
    mended: list[tuple[int, int, str]] = []
    for start, end, raw in words:
        if mended and value[mended[-1][1] : start] == " ":
            first, _, before = mended[-1]
            is_tail = (start, end) == words[-1][:2] and raw.islower() and key_of(raw) in NAME_PARTICLES  # `Bern al`
            if is_tail or _is_broken(before, raw, is_in_capitals=value[:1].isupper()):
                mended[-1] = (first, end, before + raw)
                continue
        mended.append((start, end, raw))
    return mended


def _is_broken(before: str, raw: str, *, is_in_capitals: bool) -> bool:
    """Whether two words are pieces of one: the second begins in lower case, or only together they are a name."""
    if raw[-1] in ".ºª" or before[-1] in ".ºª" or key_of(raw) in NAME_PARTICLES or key_of(before) in NAME_PARTICLES:
        return False
    together, pieces = key_of(before + raw), (key_of(before), key_of(raw))
    if before[0].isupper() and raw.islower() and is_in_capitals and (not is_name(pieces[1]) or is_name(together)):
        return True
    return is_name(together) and not all(len(piece) > 2 and is_name(piece) for piece in pieces)


def is_name(key: str) -> bool:
    return bearers(key) > 0 or surname_bearers(key) > 0 or is_named_elsewhere(key)
