"""HTML pages: what is shown, what is in attributes and comments, with every byte of the markup as it was.

Inline tags leave no trace in the text, so a name in half bold letters is one name; blocks are lines and cells are
separated by tabs. White space counts as a browser shows it.
"""

from __future__ import annotations

import html
import re

from nadie.containers.base import Account, Container, Edits, OneText, OpenOptions, Uncovered
from nadie.containers.encodings import decoded
from nadie.containers.mapped import MappedText, TextBuilder
from nadie.containers.markup import Attribute, Piece, inside_of_comment, pieces
from nadie.containers.raw import Range, spliced
from nadie.containers.source import Source

_BLOCKS = frozenset(
    "address article aside blockquote body br button caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main menu meta nav ol optgroup option p "
    "pre script section select style summary table tbody template textarea tfoot thead title tr ul".split()
)
_CELLS = frozenset({"td", "th"})
_KEEPING_SPACE = frozenset({"pre", "textarea", "listing"})
_SPOKEN = frozenset("alt content label placeholder standby summary title value".split())
_REFERENCES = frozenset({"action", "background", "cite", "data", "href", "poster", "src", "srcset"})
_PERSONAL_LINKS = ("mailto:", "tel:", "sms:", "callto:", "whatsapp:")
_TECHNICAL_META = frozenset({"viewport", "generator", "robots", "theme-color", "color-scheme"})
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_PIECES = re.compile(
    r"&(?:#[0-9]+|#[xX][0-9a-fA-F]+|[A-Za-z][A-Za-z0-9]*);?|[ \t\r\n\f]+|[^& \t\r\n\f]+(?: [^& \t\r\n\f]+)*|&"
)
_MAX_COMMENTS = 3  # comments in comments


class Html(Container):
    """`.html`, `.htm`: any page that a browser shows."""

    name = "html"
    title = "an HTML page"
    suffixes = (".html", ".htm", ".xhtml")

    def open(self, source: Source, options: OpenOptions) -> OneText[Range]:
        content = source.read()
        declared = _CHARSET.search(content[:1024])
        raw, encoding = decoded(content, source.where, declared[1].decode("ascii", "replace") if declared else "")
        page = Page(raw)
        page.read(0, len(raw))
        text = page.build()

        def rewritten(edits: Edits) -> bytes:
            # What the encoding has no byte for becomes a reference, which means the same.
            return spliced(raw, text, edits, page.escaped).encode(encoding, "xmlcharrefreplace")

        return OneText(text, rewritten, page.account)


class Page:
    """Goes through the markup of one page, or of any fragment such as a FHIR narrative."""

    def __init__(self, raw: str) -> None:
        self.account = Account()
        self._raw = raw
        self._builder: TextBuilder[Range] = TextBuilder()
        self._asides: list[tuple[int, int, bool]] = []  # attributes and comments: read after the text they stand in
        self._bare: set[int] = set()  # attribute values without quotation marks
        self._keeping_space = 0

    def read(self, start: int, end: int, comments: int = 0) -> None:
        for piece in pieces(self._raw, start, end):
            if piece.kind == "text":
                self._add(piece.start, piece.end, collapse=not self._keeping_space)
            elif piece.kind == "raw":
                self._asides.append((piece.start, piece.end, False))
            elif piece.kind == "comment" and comments < _MAX_COMMENTS:
                self._asides.append((*inside_of_comment(self._raw, piece), True))
            elif piece.kind in ("open", "close"):
                self._tag(piece)
        if not comments:
            self._read_asides()

    def build(self) -> MappedText[Range]:
        return self._builder.build()

    def escaped(self, new: str, place: Range) -> str:
        """The replacement as the markup spells it at that place."""
        safe = html.escape(new)
        return re.sub(r"\s", lambda space: f"&#{ord(space[0])};", safe) if place[0] in self._bare else safe

    def _read_asides(self) -> None:
        asides, depth = self._asides, 0
        while asides and depth <= _MAX_COMMENTS:
            self._asides, depth = [], depth + 1
            for start, end, is_markup in asides:
                self._builder.cut()
                if is_markup:
                    self.read(start, end, depth)
                else:
                    self._add(start, end, collapse=False)
            asides = self._asides

    def _tag(self, piece: Piece) -> None:
        if piece.name in _CELLS:
            self._builder.cut("\t")
        elif piece.name in _BLOCKS:
            self._builder.cut()
        if piece.name in _KEEPING_SPACE:
            self._keeping_space = max(0, self._keeping_space + (1 if piece.kind == "open" else -1))
        values = {attribute.name: self._value(attribute) for attribute in piece.attributes}
        if piece.name == "meta" and ("http-equiv" in values or values.get("name", "").lower() in _TECHNICAL_META):
            return
        for attribute in piece.attributes:
            self._attribute(piece, attribute, values[attribute.name].strip())

    def _attribute(self, piece: Piece, attribute: Attribute, value: str) -> None:
        name, link = attribute.name, value.lower()
        if name in _REFERENCES and link.startswith("data:"):
            line = self._raw.count("\n", 0, piece.start) + 1
            self.account.uncovered.append(Uncovered(f"line {line}", f"the data inside <{piece.name}> stay as they are"))
        elif name in _SPOKEN or name.startswith(("data-", "aria-")) or link.startswith(_PERSONAL_LINKS):
            self._asides.append((attribute.start, attribute.end, False))
            if not attribute.quote:
                self._bare.add(attribute.start)

    def _value(self, attribute: Attribute) -> str:
        return html.unescape(self._raw[attribute.start : attribute.end])

    def _add(self, start: int, end: int, *, collapse: bool) -> None:
        for match in _PIECES.finditer(self._raw, start, end):
            raw, place = match[0], match.span()
            if raw[0] == "&":
                self._builder.add(html.unescape(raw), place)
            elif not raw.isspace() or not collapse:
                self._builder.add(raw, place)
            elif not self._builder.at_start:
                self._builder.add(" ", place)
