"""Exact tokenization of RTF: every token with its offsets in the raw string, in one pass, also for broken files."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"(?P<open>\{)|(?P<close>\})|(?P<line>[\r\n\0]+)|(?P<text>[^\\{}\r\n\0]+)"
    r"|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?[0-9]{1,10})?(?P<space> ?)"
    r"|\\(?P<symbol>[^a-zA-Z'])|(?P<broken>\\'?)"
)
_CODE_PAGES = {
    0: "cp1252", 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "big5", 161: "cp1253",
    162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874",
    238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip


class RtfToken(NamedTuple):
    """`kind` is open, close, line, text, hex, word, symbol, broken or data; `value` is its content.

    A `word` may have a `number`, and is `bare` if no space follows it: a following letter would become part of it.
    """

    kind: str
    start: int
    end: int
    value: str
    number: int | None = None
    bare: bool = False


def tokens(raw: str) -> Iterator[RtfToken]:
    """All tokens, which cover the raw string without a gap."""
    at = 0
    while at < len(raw):
        match = _TOKEN.match(raw, at)
        if match is None:  # cannot happen: the pattern matches any character
            raise ValueError("no token")
        kind = str(match.lastgroup)
        kind = "word" if kind in ("number", "space") else kind
        if kind == "word":
            number = int(match["number"]) if match["number"] else None
            token = RtfToken(kind, at, match.end(), match["word"], number, not match["space"])
        else:
            token = RtfToken(kind, at, match.end(), match[kind])
        yield token
        at = token.end
        if token.value == "bin" and kind == "word" and (token.number or 0) > 0:
            end = min(len(raw), at + (token.number or 0))
            yield RtfToken("data", at, end, "")
            at = end


def encoding_of_charset(charset: int) -> str:
    """The encoding of a font, by the number of its character set; unknown ones count as Western."""
    return _CODE_PAGES.get(charset, "cp1252")


def spelled(text: str) -> str:
    """A text in RTF syntax, valid at any place and for any code page."""
    escaped = re.sub(r"[\\{}]", lambda sign: f"\\{sign[0]}", text)
    escaped = escaped.replace("\r\n", "\n").replace("\n", "\\line ").replace("\t", "\\tab ")
    if escaped.isascii():
        return escaped
    return "{\\uc0 " + "".join(letter if letter.isascii() else _unicode(letter) for letter in escaped) + "}"


def _unicode(letter: str) -> str:
    units = letter.encode("utf-16-le")
    numbers = (int.from_bytes(units[n : n + 2], "little") for n in range(0, len(units), 2))
    return "".join(f"\\u{number - 65536 if number > 32767 else number} " for number in numbers)
