"""HTML pages: visible text, attributes and comments; every byte of the markup is unchanged.

Inline tags are ignored in the text, so a name with some letters in bold is one name; blocks are lines and cells are
separated by tabs. White space is collapsed as in a browser.
"""

from __future__ import annotations

import html
import re

from nadie.files.container import Account, Container, Edits, OneText, OpenOptions, Uncovered
from nadie.files.containers.markup.html_attributes import REFERENCES, add_link, is_searched
from nadie.files.containers.markup.html_pieces import Attribute, Piece, add_text, inside_of_comment, pieces
from nadie.files.containers.names import is_personal
from nadie.files.containers.raw import Range, spliced
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.recognition import decoded
from nadie.files.source import Source
from nadie.labels import Label

_BLOCKS = frozenset(
    "address article aside blockquote body br button caption center dd details dialog div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 head header hr html legend li link main menu meta nav ol optgroup option p "
    "pre script section select style summary table tbody template textarea tfoot thead title tr ul".split()
)
_CELLS = frozenset({"td", "th"})
_KEEPING_SPACE = frozenset({"pre", "textarea", "listing"})
_TECHNICAL_META = frozenset({"viewport", "generator", "robots", "theme-color", "color-scheme"})
_CHARSET = re.compile(rb"""(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)""", re.IGNORECASE)
_MAX_COMMENTS = 3  # nesting depth of comments


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
        # A character that the encoding cannot represent becomes a character reference.
        return OneText(
            page.text, lambda edits: page.rewritten(edits).encode(encoding, "xmlcharrefreplace"), page.account
        )


class Page:
    """The text of one page, or of a fragment such as a FHIR narrative, mapped to its markup."""

    def __init__(self, raw: str) -> None:
        self.account = Account()
        self._raw = raw
        self._builder: TextBuilder[Range] = TextBuilder()
        self._asides: list[tuple[int, int, str]] = []  # attributes and comments: added after the text around them
        self._bare: set[int] = set()  # characters of unquoted attribute values
        self._keeping_space = 0
        self._texts_inside: list[Attribute] = []
        self._read(0, len(raw))
        for attribute in self._texts_inside:
            self._builder.cut()
            self._builder.add(attribute.value, (attribute.start, attribute.end), Label.URL_WEB)
        self.text: MappedText[Range] = self._builder.build()

    def rewritten(self, edits: Edits) -> str:
        """The markup with the edits of its text."""
        return spliced(self._raw, self.text, edits, self._escaped)

    def _read(self, start: int, end: int, comments: int = 0) -> None:
        for piece in pieces(self._raw, start, end):
            if piece.kind == "text":
                add_text(self._builder, self._raw, (piece.start, piece.end), collapse=not self._keeping_space)
            elif piece.kind == "raw":
                self._asides.append((piece.start, piece.end, "text"))
            elif piece.kind == "comment" and comments < _MAX_COMMENTS:
                self._asides.append((*inside_of_comment(self._raw, piece), "markup"))
            elif piece.kind in ("open", "close"):
                self._tag(piece)
        if not comments:
            self._read_asides()

    def _escaped(self, new: str, bounds: Range) -> str:
        """The replacement with the escapes required at that place of the markup."""
        safe = html.escape(new)
        return re.sub(r"\s", lambda space: f"&#{ord(space[0])};", safe) if bounds[0] in self._bare else safe

    def _read_asides(self) -> None:
        asides, depth = self._asides, 0
        while asides and depth <= _MAX_COMMENTS:
            self._asides, depth = [], depth + 1
            for start, end, kind in asides:
                self._builder.cut()
                if kind == "markup":
                    self._read(start, end, depth)
                elif kind == "link":
                    add_link(self._builder, self._raw, (start, end))
                else:
                    add_text(self._builder, self._raw, (start, end), collapse=False)
            asides = self._asides

    def _tag(self, piece: Piece) -> None:
        if piece.name in _CELLS:
            self._builder.cut("\t")
        elif piece.name in _BLOCKS:
            self._builder.cut()
        if piece.name in _KEEPING_SPACE:
            self._keeping_space = max(0, self._keeping_space + (1 if piece.kind == "open" else -1))
        values = {attribute.name: attribute.value for attribute in piece.attributes}
        is_technical = "http-equiv" in values or values.get("name", "").lower() in _TECHNICAL_META
        if piece.name == "meta" and is_technical and not any(map(is_personal, values.values())):
            return
        for attribute in piece.attributes:
            self._attribute(piece, attribute, attribute.value.strip())

    def _attribute(self, piece: Piece, attribute: Attribute, value: str) -> None:
        name = attribute.name
        is_link = name.rpartition(":")[2] in REFERENCES
        if value.lower().startswith("data:text") or value.lower().startswith("data:,"):
            self._texts_inside.append(attribute)
        elif "data:" in value.lower() and (is_link or name == "style"):
            line = self._raw.count("\n", 0, piece.start) + 1
            self.account.uncovered.append(Uncovered(f"line {line}", f"the data inside <{piece.name}> are not changed"))
        elif is_searched(piece.name, name, value):
            self._asides.append((attribute.start, attribute.end, "link" if is_link else "text"))
            if not attribute.quote:
                self._bare.update(range(attribute.start, attribute.end))
