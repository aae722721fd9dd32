"""Whether a value of a file is text that people wrote, as opposed to codes, names of types and layout."""

from __future__ import annotations

import re
from urllib.parse import unquote

_PROSE = re.compile(r"[^\W\d_]{2}[,.;:]?[ \u00a0][^\W\d_]{2}|[^\W\d_a-zA-Z]|\w@\w")
_IDENTIFIER = re.compile(
    r"[^\W\d_]{2}[.:º]?[ \u00a0]\d{5}|(?<!\w)(?:\d{8}|[XYZ]\d{7})-?[A-Z](?!\w)"
    r"|(?<!\d)(?<!\d[ .-])[6789]\d\d(?:(?:[ .-]\d\d){3}|(?:[ .-]\d{3}){2})(?![ .-]?\d)"
)
_TEXT = re.compile(r"[^\W\d_]|(?:\d[ .-]?){5}")


def is_prose(value: str) -> bool:
    """Whether a value looks like human text: two words, an unusual letter, an address, or an identifier."""
    return _PROSE.search(value) is not None or is_identifier(value)


def is_identifier(value: str) -> bool:
    """Whether a value, where a code is expected, has a word with a long number, a Spanish DNI, NIE or telephone."""
    return _IDENTIFIER.search(value) is not None


def has_letters(value: str | None) -> bool:
    """Whether a value has a letter or a number that may be an identifier."""
    return _TEXT.search(value or "") is not None


def unquoted(link: str) -> str:
    """A link with its percent escapes decoded, which are UTF-8 or Windows-1252."""
    try:
        return unquote(link, errors="strict")
    except UnicodeDecodeError:
        return unquote(link, "cp1252")
