"""Text in plain ASCII of the same length, so that an offset here is an offset there."""

from __future__ import annotations

import unicodedata

# Signs that patterns tell apart; everything else beyond ASCII that is no letter, digit or space becomes OTHER.
MASCULINE, FEMININE, OTHER = "\x01", "\x02", "\x03"
_SIGNS = {
    "º": MASCULINE,
    "°": MASCULINE,
    "˚": MASCULINE,
    "ª": FEMININE,
    "\t": " ",
    "\x0b": " ",
    "\x0c": " ",
    "\r": "\n",
    "\x85": "\n",
    "\u2028": "\n",
    "\u2029": "\n",
    "…": ".",
    "–": "-",
    "—": "-",
    "‐": "-",
    "‑": "-",
    "−": "-",
    "’": "'",
    "‘": "'",
    "´": "'",
    "“": '"',
    "”": '"',
    "«": '"',
    "»": '"',
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "đ": "d",
    "Đ": "D",
    "ß": "s",
    "æ": "a",
    "Æ": "A",
    "ı": "i",
    "²": OTHER,
    "³": OTHER,
    "¹": OTHER,
}


class _Table(dict[int, str]):
    """A translation table that works out each character when it first turns up."""

    def __missing__(self, code: int) -> str:
        plain = _plain(chr(code))
        if len(self) < 4096:
            self[code] = plain
        return plain


def _plain(character: str) -> str:
    if character in _SIGNS:
        return _SIGNS[character]
    if character.isascii():
        return character
    base = unicodedata.normalize("NFKD", character)[0]
    if base.isascii() and base.isalnum():
        return base
    if character.isspace():
        return " "
    if (digit := unicodedata.digit(character, -1)) >= 0:
        return str(digit)
    if character.isalpha():
        return "X" if character.isupper() else "x"
    return OTHER


_TABLE = _Table()


def plain(text: str) -> str:
    """`text` in ASCII, character for character: no accents, plain digits, dashes, quotes and spaces, case kept."""
    return text.translate(_TABLE)
