"""The encodings of Windows code pages, which RTF and Outlook name by number."""

from __future__ import annotations

_NAMES = {
    708: "iso8859-6", 936: "gbk", 950: "big5", 1200: "utf-16-le", 1201: "utf-16-be", 1361: "johab", 10000: "mac_roman",
    20127: "cp1252", 20866: "koi8-r", 21866: "koi8-u", 50220: "iso2022_jp", 50225: "iso2022_kr", 51932: "euc_jp",
    51949: "euc_kr", 52936: "hz", 54936: "gb18030", 65001: "utf-8",
    **{28590 + number: f"iso8859-{number}" for number in (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15)},
}  # fmt: skip
"""20127 is ASCII, and is read as Windows-1252, which programs that declare it often write."""


def encoding_of_page(page: int) -> str | None:
    """The encoding of a code page, or None if Python does not have it."""
    name = _NAMES.get(page, f"cp{page}")
    try:
        "".encode(name)
    except LookupError:
        return None
    return name
