"""Words planted in files, each in a different place, and the search for those that are left in a copy."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Iterator
from itertools import count

import pikepdf

from .helpers import with_every_word_replaced

FORMS = ("Garrido{}w Ñu", "Garrido{}", "7{}321")
"""What is planted: a name of two words, a single word, and a number."""
_HEX = re.compile(rb"[0-9a-fA-F]{20,}")
_BASE64 = re.compile(rb"(?:[A-Za-z0-9+/]{4}){6,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?")


class Places:
    """Gives a word for each place, and afterwards tells which places have kept theirs."""

    def __init__(self, form: str = FORMS[0]) -> None:
        self._form = form
        self._numbers = count(10_000)
        self._names: dict[bytes, str] = {}
        # The part that every encoding spells in the same letters; those of UTF-16 have zeros in between.
        self._code = re.compile(re.escape(form.partition(" ")[0].lower()).replace(r"\{\}", r"\d{5}").encode())

    def __call__(self, place: str) -> str:
        word = self._form.format(next(self._numbers))
        self._names[word.partition(" ")[0].lower().encode()] = place
        return word

    def left(self, content: bytes, name: str) -> list[str]:
        """The places whose words are in the copy of a file, all words of its texts being replaced."""
        return self.kept(with_every_word_replaced(content, name)[0])

    def kept(self, copy: bytes) -> list[str]:
        found = (match[0] for raw in _opened(copy) for match in self._code.finditer(raw.replace(b"\0", b"").lower()))
        return sorted(self._names[code] for code in set(found))


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
