"""Tokenizes well-formed XML, with the offsets of every piece in the raw string, so that all else keeps its bytes.

Only for XML that `nadie.files.containers.markup.xml.parse` has accepted: it refuses malformed XML and declarations.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

from nadie.files.containers.markup.html_pieces import Attribute, Piece

_PIECE = re.compile(
    r"<!--(?P<comment>.*?)-->|<!\[CDATA\[(?P<cdata>.*?)\]\]>|<\?(?!xml\s)[^\s?]+(?P<instruction>.*?)\?>|<\?.*?\?>|<!DOCTYPE[^>]*>"
    r"|<(?P<close>/?)(?P<name>[^\s/>]+)(?P<attributes>(?:[^>\"'/]++|/(?!>)|\"[^\"]*\"|'[^']*')*+)(?P<empty>/?)>|(?P<text>[^<]+)",
    re.DOTALL,
)
_ATTRIBUTE = re.compile(r"([^\s=]+)\s*=\s*([\"'])(.*?)\2", re.DOTALL)


def xml_pieces(raw: str) -> Iterator[Piece]:
    """Element names have no prefixes; an empty element has both tags; a processing instruction counts as a comment."""
    for match in _PIECE.finditer(raw):
        kind = match.lastgroup if match.lastgroup in ("comment", "cdata", "instruction", "text") else ""
        if kind:
            yield Piece("comment" if kind == "instruction" else kind, *match.span(kind))
        elif match["name"]:
            name = match["name"].rpartition(":")[2]
            if match["close"]:
                yield Piece("close", *match.span(), name)
                continue
            yield Piece("open", *match.span(), name, tuple(_attributes(match)))
            if match["empty"]:
                yield Piece("close", match.end(), match.end(), name)


def _attributes(match: re.Match[str]) -> Iterator[Attribute]:
    for found in _ATTRIBUTE.finditer(match.string, *match.span("attributes")):
        yield Attribute(found[1], html.unescape(found[3]), found.start(1), *found.span(3), found[2])
