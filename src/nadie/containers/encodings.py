"""The encoding of text files that may declare it, and the way back into it."""

from __future__ import annotations

import codecs

from nadie.errors import FormatError

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_ACCEPTED = {"utf-8", "cp1252", "iso8859-1", "iso8859-15", "ascii"}


def decoded(content: bytes, where: str, declared: str = "") -> tuple[str, str]:
    """The text, its mark included, and the encoding: that of the byte-order mark, the declared one, or UTF-8."""
    marked = next((encoding for mark, encoding in _MARKS if content.startswith(mark)), "")
    encoding = marked or _known(declared, where)
    try:
        return content.decode(encoding), encoding
    except UnicodeDecodeError as error:
        at = error.start
    # Raised out here, because the decoding error holds the bytes of the document.
    raise FormatError(f"is not {encoding.upper()}", where=where, line=content.count(b"\n", 0, at) + 1)


def _known(declared: str, where: str) -> str:
    try:
        name = codecs.lookup(declared or "utf-8").name
    except LookupError:
        name = ""
    if name not in _ACCEPTED:
        raise FormatError(f"declares the encoding {declared[:40]!r}, which is not accepted", where=where)
    # As every browser does: what calls itself Latin-1 or ASCII is written by programs that mean Windows-1252.
    return "cp1252" if name in ("iso8859-1", "ascii") else name
