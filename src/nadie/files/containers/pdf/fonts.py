"""Fonts of a PDF: the Unicode text and the width of every code, as far as the file specifies them.

The text of a code is None if it is not specified: a page that shows it cannot be searched. ToUnicode has precedence,
then the encoding with the names of the glyphs. Nothing is guessed from the shapes of glyphs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pikepdf
from pdfminer.encodingdb import EncodingDB, name2unicode
from pdfminer.fontmetrics import FONT_METRICS
from pdfminer.pdfexceptions import PDFKeyError

from nadie.files.containers.pdf import cmaps
from nadie.files.containers.pdf.object_types import is_dictionary, is_stream, listed, name_of

_SYMBOLS = re.compile(r"symbol|dingbats|wingdings|webdings|marlett|fontawesome|opensymbol|bullet", re.IGNORECASE)
_SUBSET = re.compile(r"^[A-Z]{6}\+")
_SYMBOL = "•"
_SHORT = 6
UNKNOWN = "\ufffc"
"""The character in the text for a glyph whose text is unknown."""
_IS_SYMBOLIC = 4
_UNICODE_CMAP = re.compile(r"/Uni\w+-(?:UCS2|UTF16)-[HV]")
_UNREADABLE = re.compile("[\ue000-\uf8ff\ufffd\x00-\x08\x0e-\x1f\U000f0000-\U0010ffff]")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}


class Glyph(NamedTuple):
    """One code of a string: its number of bytes, its text if known, and its width as a fraction of the size."""

    size: int
    text: str | None
    width: float
    is_space: bool


class Shown(NamedTuple):
    """A whole string: its text, and the values that its width depends on."""

    text: str
    width: float
    glyphs: int
    spaces: int
    is_readable: bool


class Font:
    """One font of a PDF. `scale` is 1 except for Type 3 fonts, which have their own units."""

    def __init__(self, spec: Any, where: str) -> None:
        self.name = _SUBSET.sub("", name_of(spec.get("/BaseFont", spec.get("/Name", "/?"))))
        self.is_composite = str(spec.get("/Subtype", "")) == "/Type0"
        self.is_type3 = str(spec.get("/Subtype", "")) == "/Type3"
        self.is_vertical = False
        self.scale = 1.0
        self._is_of_symbols = bool(_SYMBOLS.search(self.name))
        self._texts = _unicode_texts(spec.get("/ToUnicode", None), where)
        self._known: dict[bytes, Glyph] = {}
        self._shown: dict[bytes, Shown] = {}
        self._codes: Callable[[bytes], Iterator[bytes]]
        self._encoded: Callable[[int], str | None]
        self._width: Callable[[int], float]
        if self.is_composite:
            self._read_composite(spec, where)
        else:
            self._read_simple(spec)

    def glyphs(self, raw: bytes) -> list[Glyph]:
        """The glyphs of a string, in order."""
        known = self._known
        return [known.get(code) or self._learn(code) for code in self._codes(raw)]

    def shown(self, raw: bytes) -> Shown:
        """The string as a whole; short strings are cached."""
        found = self._shown.get(raw)
        if found is None:
            glyphs = self.glyphs(raw)
            text = "".join([UNKNOWN if glyph.text is None else glyph.text for glyph in glyphs])
            width = sum([glyph.width for glyph in glyphs])
            spaces = sum([glyph.is_space for glyph in glyphs])
            found = Shown(text, width, len(glyphs), spaces, all(glyph.text is not None for glyph in glyphs))
            if len(raw) <= _SHORT:
                self._shown[raw] = found
        return found

    def _learn(self, code: bytes) -> Glyph:
        number = int.from_bytes(code)
        text = self._readable(self._texts.get(number))
        if text is None:
            text = self._readable(self._encoded(number))
        if text is None and self._is_of_symbols:
            text = _SYMBOL
        glyph = Glyph(len(code), text, self._width(number), code == b" ")
        self._known[code] = glyph
        return glyph

    def _readable(self, text: str | None) -> str | None:
        """The text, or None if it has private-use characters, whose glyphs may have any shape."""
        if text is None or (not text and not self._is_of_symbols):
            return None
        if _UNREADABLE.search(text):
            return _SYMBOL if self._is_of_symbols else None
        return _LIGATURES.get(text, text)

    def _read_simple(self, spec: Any) -> None:
        self._codes = _single_bytes
        self.scale = float(spec.FontMatrix[0]) * 1000 if self.is_type3 else 1.0
        encoding = _encoding(spec, self.name, self.is_type3)
        self._encoded = encoding.get
        first = int(spec.get("/FirstChar", 0))
        widths = [float(width) for width in spec.get("/Widths", [])]
        metrics = _metrics(self.name)
        descriptor = spec.get("/FontDescriptor", {})
        missing = float(descriptor.get("/MissingWidth", 0)) if widths else 500.0

        def width(code: int) -> float:
            if 0 <= code - first < len(widths):
                return widths[code - first] * self.scale / 1000
            return metrics.get(encoding.get(code) or "", missing) / 1000

        self._width = width

    def _read_composite(self, spec: Any, where: str) -> None:
        descendant = spec.DescendantFonts[0]
        encoding = spec.get("/Encoding", None)
        glyph_of: Callable[[int], int] = int
        self._encoded = _unknown
        if is_stream(encoding):
            cmap = cmaps.parse(encoding, where)
            self._codes, glyph_of = cmap.codes, lambda code: cmap.glyphs.get(code, 0)
            self.is_vertical = int(encoding.get("/WMode", 0)) == 1
        else:
            name = str(encoding)
            self.is_vertical = name.endswith("-V")
            self._codes = _double_bytes
            if _UNICODE_CMAP.fullmatch(name):
                self._encoded = chr
            elif not name.startswith("/Identity"):
                self._texts = {}  # codes of unknown length: none is readable
        widths = dict(_widths(descendant.get("/W", [])))
        default = float(descendant.get("/DW", 1000))
        self._width = lambda code: -1.0 if self.is_vertical else widths.get(glyph_of(code), default) / 1000


def _unicode_texts(stream: Any, where: str) -> dict[int, str]:
    """The texts by ToUnicode; none if it is damaged, and then only the encoding tells them."""
    try:
        return cmaps.parse(stream, where, is_unicode=True).texts if is_stream(stream) else {}
    except (ValueError, TypeError, pikepdf.PdfError):
        return {}


def _unknown(code: int) -> str | None:
    return None


def _single_bytes(raw: bytes) -> Iterator[bytes]:
    return (raw[n : n + 1] for n in range(len(raw)))


def _double_bytes(raw: bytes) -> Iterator[bytes]:
    return (raw[n : n + 2] for n in range(0, len(raw), 2))


def _encoding(spec: Any, name: str, is_type3: bool) -> dict[int, str | None]:
    """The text of each code by the font's encoding; without one, only non-symbolic fonts have the standard encoding."""
    given = spec.get("/Encoding", None)
    has_names = is_dictionary(given)
    base = str(given.get("/BaseEncoding", "") if has_names else given or "").lstrip("/")
    flags = int(spec.get("/FontDescriptor", {}).get("/Flags", 0))
    if base in EncodingDB.encodings:
        table: dict[int, str | None] = dict(EncodingDB.encodings[base])
    elif is_type3 or (flags & _IS_SYMBOLIC and not _metrics(name)):
        table = {}
    else:
        table = dict(EncodingDB.encodings["StandardEncoding"])
    code = 0
    for each in listed(given.get("/Differences", None)) if has_names else []:
        if isinstance(each, int):
            code = each
        else:
            table[code] = _text_of_name(str(each).lstrip("/"))
            code += 1
    return table


def _text_of_name(name: str) -> str | None:
    try:
        return name2unicode(name)
    except (KeyError, PDFKeyError, ValueError):
        return " " if name == ".notdef" else None


def _metrics(name: str) -> dict[str, float]:
    """The widths of the standard fonts, by letter."""
    found = FONT_METRICS.get(name)
    return {letter: float(width) for letter, width in found[1].items()} if found else {}


def _widths(spec: Any) -> Iterator[tuple[int, float]]:
    """The widths of a composite font: `first [w w w]` or `first last w`."""
    items = list(spec)
    at = 0
    while at + 1 < len(items):
        first, second = int(items[at]), items[at + 1]
        if isinstance(second, int):
            for glyph in range(first, min(int(second), 65535) + 1):
                yield glyph, float(items[at + 2])
            at += 3
        else:
            yield from ((first + n, float(width)) for n, width in enumerate(second))
            at += 2
