"""Words planted in files, each in a different place, and the search for those that are left in a copy."""

from __future__ import annotations

import base64
import io
import random
import re
import zipfile
from collections.abc import Callable, Iterator
from functools import cache
from itertools import count

import pikepdf

from nadie.spanish import tables
from nadie.spanish.name_use import is_ordinary_word

from .helpers import with_every_word_replaced

_FIRST = 10_000


@cache
def _surnames() -> tuple[str, ...]:
    """Surnames of all origins that are no ordinary words, none of them a part of another one."""
    names = (row[0] for row in tables.rows("surnames.tsv.gz"))
    known = [name for name in names if re.fullmatch("[A-Z][a-z]{6,10}", name) and not is_ordinary_word(name.lower())]
    random.Random(3).shuffle(known)
    all_of_them = "\n".join(known).lower()
    return tuple(name for name in known if all_of_them.count(name.lower()) == 1)


def surname(number: int) -> str:
    """A surname that a list has, of Spain, America or immigrants."""
    return _surnames()[number - _FIRST]


def dni(number: int) -> str:
    return f"{40_000_000 + number}{'TRWAGMYFPDXBNJZSQVHLCKE'[(40_000_000 + number) % 23]}"


def telephone(number: int) -> str:
    return f"612 {number // 1000:03} {number % 1000:03}"


Form = Callable[[int], str]
NAMES: tuple[Form, ...] = ("Garrido{}w Ñu".format, "Garrido{}".format, surname)
NUMBERS: tuple[Form, ...] = (dni, telephone)
PLAIN_NUMBER: Form = "7{}321".format
FORMS = (*NAMES, *NUMBERS, PLAIN_NUMBER)
"""What is planted: a name of two words, a single word, a surname of the lists, and numbers."""
_SPACE_IN_NUMBER = re.compile(rb"(?<=\d)(?: |\xc2\xa0|\xa0|%20)(?=\d)")
_HEX = re.compile(rb"[0-9a-fA-F]{20,}")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Places:
    """Gives a word for each place, and afterwards tells which places have kept theirs."""

    def __init__(self, form: Form = FORMS[0]) -> None:
        self._form = form
        self._numbers = count(_FIRST)
        self._names: dict[bytes, str] = {}

    def __call__(self, place: str) -> str:
        word = self._form(next(self._numbers))
        # The part that every encoding spells in the same letters.
        self._names[word.partition(" Ñ")[0].lower().replace(" ", "").encode()] = place
        return word

    def left(self, content: bytes, name: str) -> list[str]:
        """The places whose words are in the copy of a file, all words of its texts being replaced."""
        return self.kept(with_every_word_replaced(content, name)[0])

    def kept(self, copy: bytes) -> list[str]:
        everything = b"\n".join(raw.replace(b"\0", b"").lower() for raw in _opened(copy))  # UTF-16 has zeros in between
        if self._form is telephone:
            everything = _SPACE_IN_NUMBER.sub(b"", everything)
        return sorted(place for code, place in self._names.items() if code in everything)


def _opened(content: bytes) -> Iterator[bytes]:
    """The bytes, those of the parts of a package, and what stands in base64."""
    yield content
    if content.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for part in archive.namelist():
                yield from _opened(archive.read(part))
    if content.startswith(b"%PDF"):
        yield from _objects(content)
    for match in _BASE64.finditer(content):
        yield base64.b64decode(match[0])
    for match in _HEX.finditer(content):
        yield bytes.fromhex(match[0].decode()[: len(match[0]) // 2 * 2])


def _objects(content: bytes) -> Iterator[bytes]:
    """The strings and names of all objects of a PDF, and its unpacked streams."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        for each in (pdf.trailer, *pdf.objects):
            text = each.unparse(resolved=True)
            yield text
            yield from (bytes.fromhex(match.decode()) for match in re.findall(rb"<((?:[0-9a-f]{2})+)>", text))
            if isinstance(each, pikepdf.Stream):
                yield each.read_raw_bytes()
                if each.get("/Subtype") != "/Image":
                    yield from _opened(each.read_bytes())
