"""Folding: text without case, accents and signs, in several forms.

`fold` is for words that are looked up in a list, `fold_compatible` for terms that a user wrote down, `key_of` for the
value of a span. `same_length` and `plain` keep every offset, for what is searched: `plain` is ASCII with its case kept,
which the patterns are written for. The features of models depend on `fold`, `without_accents` and `plain`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache


def fold(text: str) -> str:
    """The text in lower case without accents; letters that do not decompose, and other characters, are kept."""
    try:
        return text.encode("latin-1").translate(_LATIN_LOWER).decode("latin-1")
    except UnicodeEncodeError:
        return _decomposed(text)


def _decomposed(text: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))


# Nearly all notes fit into Latin-1, and there a table of 256 bytes folds a whole note in a few microseconds.
_LATIN_LOWER = bytes(ord(_decomposed(chr(code))) for code in range(256))


def fold_compatible(text: str) -> str:
    """Lower case, no accents, no invisible characters, compatible characters (ligatures, wide letters) made plain."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in decomposed if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")


TILDE, CEDILLA = "\u0303", "\u0327"  # of ñ and ç, which are letters of their own and not accented ones


def without_accents(text: str, keep: str = "") -> str:
    """No accents but the combining marks in `keep`; case stays."""
    if text.isascii():
        return text
    kept = (c for c in unicodedata.normalize("NFD", text) if c in keep or not unicodedata.combining(c))
    return unicodedata.normalize("NFC", "".join(kept))


class _FoldTable(dict[int, str]):
    """One character → one character, computed when a character is first seen."""

    def __init__(self, translate: Callable[[str], str]) -> None:
        super().__init__()
        self._translate = translate

    def __missing__(self, code: int) -> str:
        new = self._translate(chr(code))
        if len(self) < 4096:
            self[code] = new
        return new


NOTHING = "\x00"
"""Stands in a text of `same_length` for a combining mark or an invisible character."""


def _fold_character(character: str) -> str:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return NOTHING
    if character in "ºª":
        return character
    base = unicodedata.normalize("NFKD", character.casefold())[:1].casefold()[:1]
    is_latin = character <= "\xff"
    return base if base.isalnum() and (base <= "\xff" or not is_latin) else character


_FOLDED = _FoldTable(_fold_character)
_LATIN = bytes(ord(_fold_character(chr(code))) for code in range(256))
_RUN = re.compile(r"[^\W\d_]+|\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


def same_length(text: str) -> str:
    """The text folded character by character: offsets stay, marks and invisible characters become `NOTHING`."""
    try:
        return text.encode("latin-1").translate(_LATIN).decode("latin-1")
    except UnicodeEncodeError:
        return by_pieces(text, same_length, lambda beyond: beyond.translate(_FOLDED))


_BEYOND_LATIN = re.compile("([^\x00-\xff]+)")


def by_pieces(text: str, latin: Callable[[str], str], beyond: Callable[[str], str]) -> str:
    """The text with one function applied to its pieces in Latin-1 and another one to all other pieces."""
    pieces = _BEYOND_LATIN.split(text)
    pieces[::2] = map(latin, pieces[::2])
    pieces[1::2] = map(beyond, pieces[1::2])
    return "".join(pieces)


_LONGEST_REMEMBERED = 1 << 16


def same_length_of_note(text: str) -> str:
    """`same_length` of a whole note, which several stages need; the last notes are remembered."""
    return _remembered(text) if len(text) <= _LONGEST_REMEMBERED else same_length(text)


@lru_cache(32)
def _remembered(note: str) -> str:
    return same_length(note)


def words_of(text: str) -> list[str]:
    """The folded words and numbers of a text, in order."""
    return _key_of_short(text).split() if len(text) <= SHORT else _words_of(text)


def _words_of(text: str) -> list[str]:
    return _RUN.findall(same_length(text).replace(NOTHING, ""))


_LETTERS_ALONE = bytes(code if _LETTERS.match(chr(code)) else ord(" ") for code in range(256))


def letters_of(text: str) -> list[str]:
    """The folded runs of letters of a text, in order: the words of `words_of` without the numbers, and faster."""
    folded = same_length(text).replace(NOTHING, "")
    try:
        return folded.encode("latin-1").translate(_LETTERS_ALONE).decode("latin-1").split()
    except UnicodeEncodeError:
        return _LETTERS.findall(folded)


def key_of(text: str) -> str:
    """The folded words with one space between them: the name under which a value is known."""
    return _key_of_short(text) if len(text) <= SHORT else " ".join(_words_of(text))


SHORT = 64
"""The length of values up to which their folded form is remembered: names and words recur."""


@lru_cache(1 << 13)
def _key_of_short(text: str) -> str:
    return " ".join(_words_of(text))


# Signs that patterns distinguish; everything else beyond ASCII that is no letter, digit or space becomes OTHER.
MASCULINE, FEMININE, OTHER = "\x01", "\x02", "\x03"
_SIGNS = {
    **dict.fromkeys("º°˚", MASCULINE),
    "ª": FEMININE,
    **dict.fromkeys("²³¹", OTHER),
    **dict.fromkeys("\t\x0b\x0c", " "),
    **dict.fromkeys("\r\x85\u2028\u2029", "\n"),
    "…": ".",
    **dict.fromkeys("–—‐‑−", "-"),
    **dict.fromkeys("’‘´", "'"),
    **dict.fromkeys("“”«»", '"'),
    **dict(zip("øØłŁđĐßæÆı", "oOlLdDsaAi", strict=True)),
}


def _plain_character(character: str) -> str:
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


_PLAIN = _FoldTable(_plain_character)


def plain(text: str) -> str:
    """`text` in ASCII, character for character: no accents, plain digits, dashes, quotes and spaces, case kept."""
    return text.translate(_PLAIN)
