"""Tokenizes HTML as browsers do, with the offsets of every piece; one pass, also for broken markup."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from nadie.files.containers.raw import Range
from nadie.files.mapped import TextBuilder

_MARKUP = re.compile(r"<(?:/?[A-Za-z]|[!?])")
_DOCTYPE = re.compile(
    r"<!doctype\s+[\w.:-]+(?:\s+public\s+[\"']-//[^\"'>]*//[^\"'>]*[\"'])?(?:\s*[\"']https?://[\w./-]+[\"'])?"
    r"(?:\s+system\s+[\"']about:legacy-compat[\"'])?\s*>",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)([A-Za-z][^\s/>]*)")
_ATTRIBUTE = re.compile(r"[\s/]*(=?[^\s/>=]*)(\s*=\s*)?")
_UNQUOTED = re.compile(r"[^\s>]*")
_RAW_ELEMENTS = frozenset("script style textarea title xmp iframe noembed noframes".split())
_TEXT = re.compile(
    r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?|[ \t\r\n\f]+|[^& \t\r\n\f]+(?: [^& \t\r\n\f]+)*|&"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A value at `start:end` of the raw string; `quote` is empty if it is unquoted."""

    name: str
    value: str
    name_start: int
    start: int
    end: int
    quote: str

    @property
    def outer(self) -> Range:
        """The range of the whole attribute, including its name."""
        return self.name_start, self.end + len(self.quote)


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of markup: `text`, `raw` (in a script or a style), `cdata`, `comment`, `open` or `close` (a tag)."""

    kind: str
    start: int
    end: int
    name: str = ""
    attributes: tuple[Attribute, ...] = ()


def pieces(raw: str, start: int, end: int) -> Iterator[Piece]:
    """The pieces of `raw[start:end]`. Unclosed markup at the end, which a browser would not show, is text here."""
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


def add_text(builder: TextBuilder[Any], raw: str, bounds: Range, *, collapse: bool) -> None:
    """Add the text of a range with its references decoded; white space is collapsed as in a browser, or unchanged."""
    for match in _TEXT.finditer(raw, *bounds):
        spelled = match[0]
        if spelled[0] == "&":
            builder.add(html.unescape(spelled), match.span())
        elif not spelled.isspace() or not collapse:
            builder.add(spelled, match.span())
        elif not builder.at_start:
            builder.add(" ", match.span())


def inside_of_comment(raw: str, piece: Piece) -> tuple[int, int]:
    """The range of the content of a comment."""
    if raw.startswith("<!--", piece.start):
        return min(piece.start + 4, piece.end), max(piece.start + 4, piece.end - 3)
    return piece.start + 2, max(piece.start + 2, piece.end - 1)


def _declaration(raw: str, start: int, end: int) -> Piece | None:
    is_comment = raw.startswith("<!--", start)
    mark = "-->" if is_comment else ">"
    found = raw.find(mark, start + 2, end)
    if found < 0:
        return None
    skipped = raw[start : start + 5].lower() == "<?xml" or _DOCTYPE.match(raw, start) is not None
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
        else:
            unquoted = _UNQUOTED.match(raw, at, end)
            stop = unquoted.end() if unquoted else at
        at += len(quote)
        value = html.unescape(raw[at:stop])
        attributes.append(Attribute(found[1].lower(), value, found.start(1), at, stop, quote))
        at = stop + len(quote)
    return Piece(kind, match.start(), at + 1, name, tuple(attributes)) if at < end else None
