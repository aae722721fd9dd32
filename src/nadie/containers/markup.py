"""HTML taken apart as browsers do, with the place of every piece in the raw string; in one pass, whatever is broken."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_MARKUP = re.compile(r"<(?:/?[A-Za-z]|[!?])")
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"[\s/]*(=?[^\s/>=]*)(\s*=\s*)?")
_UNQUOTED = re.compile(r"[^\s>]*")
_RAW_ELEMENTS = frozenset("script style textarea title xmp iframe noembed noframes".split())


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value between `start` and `end` of the raw string; `quote` is empty where it has no quotation marks."""

    name: str
    start: int
    end: int
    quote: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of markup: `text`, `raw` (inside of a script or a style), `comment`, `open` or `close` (a tag)."""

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def pieces(raw: str, start: int, end: int) -> Iterator[Piece]:
    """The pieces of `raw[start:end]`. What is left open at the end, a browser would not show: here it is text."""
    at = start
    while at < end:
        found = _MARKUP.search(raw, at, end)
        bracket = found.start() if found else end
        if bracket > at:
            yield Piece("text", at, bracket)
        if bracket >= end:
            return
        read = _declaration if raw.startswith(("<!", "<?"), bracket) else _tag
        piece = read(raw, bracket, end)
        if piece is None:
            yield Piece("text", bracket, end)
            return
        yield piece
        at = piece.end
        if piece.kind == "open" and piece.name in _RAW_ELEMENTS:
            close = re.compile(rf"</{piece.name}(?=[\s/>])", re.IGNORECASE).search(raw, at, end)
            stop = close.start() if close else end
            if stop > at:
                yield Piece("text" if piece.name in ("textarea", "title") else "raw", at, stop)
            at = stop


def inside_of_comment(raw: str, piece: Piece) -> tuple[int, int]:
    """The range of what a comment says."""
    if raw.startswith("<!--", piece.start):
        return min(piece.start + 4, piece.end), max(piece.start + 4, piece.end - 3)
    return piece.start + 2, max(piece.start + 2, piece.end - 1)


def _declaration(raw: str, start: int, end: int) -> Piece | None:
    is_comment = raw.startswith("<!--", start)
    mark = "-->" if is_comment else ">"
    found = raw.find(mark, start + 2, end)
    if found < 0:
        return None
    skipped = raw.startswith("<?", start) or raw[start : start + 9].lower() == "<!doctype"
    return Piece("skip" if skipped else "comment", start, found + len(mark))


def _tag(raw: str, start: int, end: int) -> Piece | None:
    match = _TAG.match(raw, start, end)
    if match is None:
        return None
    kind, name = "close" if match[1] else "open", match[2].lower()
    at = match.end()
    attributes: list[Attribute] = []
    while at < end and raw[at] != ">":
        found = _ATTRIBUTE.match(raw, at, end)
        if found is None or found.end() == at:
            return None
        at = found.end()
        if not found[2]:
            continue
        quote = raw[at] if at < end and raw[at] in "\"'" else ""
        if quote:
            stop = raw.find(quote, at + 1, end)
            if stop < 0:
                return None
            attributes.append(Attribute(found[1].lower(), at + 1, stop, quote))
            at = stop + 1
        elif value := _UNQUOTED.match(raw, at, end):
            attributes.append(Attribute(found[1].lower(), at, value.end(), ""))
            at = value.end()
    return Piece(kind, match.start(), at + 1, name, tuple(attributes)) if at < end else None
