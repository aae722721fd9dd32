"""Names that a program resolves: bookmarks, styles, ranges, tables, shapes, and the references to them.

They are not prose: a name with one word replaced breaks every link to it. A name of ordinary words is kept; any other
name, which may be a person's, is replaced by a number, in its definition and in all references to it.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib.resources import files

from nadie.files.containers.prose import is_identifier
from nadie.spanish.folding import fold
from nadie.spanish.name_kin import is_listed
from nadie.spanish.name_use import is_ordinary_word
from nadie.spanish.population import spelled_given, spelled_surname

_WORD = re.compile(r"[^\W\d_]+")
_CAMEL = re.compile(r"(?<=[^\W\d_A-ZÁÉÍÓÚÜÑ])(?=[A-ZÁÉÍÓÚÜÑ])|(?<=[A-ZÁÉÍÓÚÜÑ])(?=[A-ZÁÉÍÓÚÜÑ][a-záéíóúüñ])")
_ESCAPE = re.compile(r"_([0-9a-f]{2,4})_|_x([0-9A-Fa-f]{4})_")
_LONG_NUMBER = re.compile(r"(?:\d[ .-]?){5}")
_IDENTIFYING_NUMBER = re.compile(r"\d{7}")  # those of colours and sizes are shorter
_PROGRAM = re.compile(
    r"_(?:Toc|Ref|Hlk|Hlt|MON_|PictureBullets)\d*|_GoBack|OLE_LINK\d{1,4}|_xl(?:nm|fn|pm|ws)\.\w+"
    r"|__(?:RefHeading|RefNumPara|DdeLink|Fieldmark|UnoMark)_+[\d_]+|_x0000_[a-z]+\d+|[A-Z]{1,3}\d{0,4}"
    r"|\{?[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\}?|WW8?Num\w{1,5}|N\d{1,6}P\d"
)
_ADDRESS = re.compile(r"(?:https?://|urn:)[\w.:/#-]*", re.IGNORECASE)
_LONGEST = 80
_LONGEST_SEARCHED = 1000
_SHORTEST = 3  # `ana` and `sol` are in too many other words
_AUTOMATIC = re.compile(r"([A-Za-z]{1,4})\d{1,4}")


def is_usual(name: str) -> bool:
    """Whether a name identifies nobody: programs give it, or all its words are ordinary and no number in it is long."""
    if not name or _PROGRAM.fullmatch(name) or _is_automatic(name):
        return True
    if len(name) > _LONGEST or _LONG_NUMBER.search(_spelled(name)):
        return False
    words = [word for word in words_of(name) if len(word) > 1]
    others = [word for word in words if word not in _technical_words()]
    is_ordinary = all(is_ordinary_word(word) and not spelled_given(word) for word in others)
    is_surname = bool(others) and len(others) == len(words) and all(map(spelled_surname, others))
    return is_ordinary and not is_surname


def _is_automatic(name: str) -> bool:
    """Whether it is a name such as `fr1`, with letters that are not a person's name."""
    match = _AUTOMATIC.fullmatch(name)
    return match is not None and not _is_name(fold(match[1]))


def is_name_word(word: str) -> bool:
    """Whether a folded word is a person's name rather than a word of the language or of programs."""
    return word not in _technical_words() and _is_name(word) and not is_ordinary_word(word)


def _is_name(word: str) -> bool:
    """Whether a folded word is a first name or a surname, of any country."""
    return spelled_given(word) is not None or spelled_surname(word) is not None or is_listed(word)


def words_of(name: str) -> list[str]:
    """The folded words of a name as programs write it: `fichaGarcia`, `Ficha_20_de_20_Garcia`."""
    return [fold(word) for word in _WORD.findall(_spelled(name))]


def _spelled(name: str) -> str:
    return _CAMEL.sub(" ", _ESCAPE.sub(_character, name))


def is_personal(value: str) -> bool:
    """Whether a string of which nothing is known has the name of a person or a number as long as an identifier."""
    return shows_person(value) or is_identifier(value) or _IDENTIFYING_NUMBER.search(value) is not None


@lru_cache(maxsize=1 << 15)
def shows_person(value: str) -> bool:
    """Whether a string that a program uses has the name of a person among its words, as in `ficha-GarciaLopez`."""
    if len(value) > _LONGEST_SEARCHED or not _WORD.search(value):
        return False
    return any(is_name_word(word) for word in words_of(value) if len(word) > _SHORTEST)


def is_code(value: str) -> bool:
    """Whether a short string has neither the name of a person nor a long number, as `application/vnd.ms-excel`."""
    return len(value) <= _LONGEST_SEARCHED and not shows_person(value) and not has_long_number(value)


def has_long_number(value: str) -> bool:
    """Whether a string has at least five digits in a row, or in groups."""
    return _LONG_NUMBER.search(value) is not None


def is_public_address(value: str) -> bool:
    """Whether a string is nothing but an address, as of a schema, without the name or the number of a person."""
    return _ADDRESS.fullmatch(value) is not None and not is_personal(value)


class Names:
    """The names of one kind in a file. `of` gives the name to write for each, the same for all references to it."""

    def __init__(self, prefix: str, *, ignore_case: bool = False) -> None:
        self._prefix = prefix
        self._key = str.casefold if ignore_case else str
        self._new: dict[str, str] = {}
        self._taken: set[str] = set()
        self._number = 0

    def define(self, name: str) -> None:
        """Add a name that the file defines."""
        self._taken.add(self._key(name))
        if not is_usual(name):
            self._new.setdefault(self._key(name), "")

    def set(self, name: str, new: str) -> None:
        """Replace a name by another one that is known to be free."""
        self._new[self._key(name)] = new
        self._taken.add(self._key(new))

    def of(self, name: str) -> str:
        """The new name; a name that the file does not define is judged alone, and numbered if it is not usual."""
        key = self._key(name)
        if key not in self._new and (key in self._taken or is_usual(name)):
            return name
        if not self._new.get(key):
            self._new[key] = self._free()
        return self._new[key]

    @property
    def replaced(self) -> dict[str, str]:
        """The new names by the old ones."""
        return {old: self.of(old) for old in self._new}

    def _free(self) -> str:
        self._number += 1
        while self._key(f"{self._prefix}{self._number}") in self._taken:
            self._number += 1
        return f"{self._prefix}{self._number}"


def _character(match: re.Match[str]) -> str:
    """The character of an escape, as in `Text_20_body` and `Ficha_x0020_1`."""
    return chr(int(match[1] or match[2], 16))


@cache
def _technical_words() -> frozenset[str]:
    return frozenset(files(__package__).joinpath("technical_words.txt").read_text("utf-8").split())
