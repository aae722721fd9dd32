"""XML of any kind: texts and attributes are searched and written back in place; every other byte is unchanged.

In mixed content, such as a paragraph with a word in bold, tags are ignored in the text; elsewhere each text is a line.
"""

from __future__ import annotations

import html
import re

from lxml import etree

from nadie.files.container import Edits, OneText, OpenOptions
from nadie.files.containers.markup import xml
from nadie.files.containers.markup.data import field_of
from nadie.files.containers.markup.html_pieces import Piece, add_text
from nadie.files.containers.markup.xml_pieces import xml_pieces
from nadie.files.containers.names import is_code, is_public_address
from nadie.files.containers.raw import Range, replaced
from nadie.files.containers.tables.column_content import may_be_data
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.recognition import decoded
from nadie.files.source import Source

_DECLARED = re.compile(rb"""<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)""")
_TECHNICAL = re.compile(r"xmlns(?::.*)?|(?:.*:)?(?:schemaLocation|noNamespaceSchemaLocation)")
_CODED = re.compile(r"(?:.*:)?(?:space|lang|type)")
_PARAGRAPHS = frozenset({"p", "para", "paragraph", "paragraf", "parrafo"})


def open_xml(source: Source, options: OpenOptions) -> OneText[Range | None]:
    """Open an XML document that no other container reads."""
    content = source.read()
    tree = xml.parse(content, source.where)
    declared = _DECLARED.search(content[:200])
    raw, encoding = decoded(content, source.where, declared[1].decode("ascii") if declared else "")
    reader = _Reader(raw, _mixed(tree))
    text = reader.text

    def rewritten(edits: Edits) -> bytes:
        return replaced(raw, reader.changes(edits)).encode(encoding, "xmlcharrefreplace")

    return OneText(text, rewritten)


class _Reader:
    def __init__(self, raw: str, mixed: list[bool]) -> None:
        self._raw = raw
        self._mixed = mixed
        self._literal: set[int] = set()
        self._builder: TextBuilder[Range | None] = TextBuilder()
        self._asides: list[tuple[str, Range]] = []
        self._read()
        self.text: MappedText[Range | None] = self._builder.build()

    def changes(self, edits: Edits) -> list[tuple[int, int, str]]:
        """The changes of the raw string; a segment that is not spelled like the raw string changes as a whole."""
        done: list[tuple[int, int, str]] = []
        for change in self.text.split(edits):
            if (bounds := change.segment.address) and self._is_exact(bounds, change.segment.text):
                start = bounds[0]
                done.append((start + change.start, start + change.end, self._escaped(change.replacement, start)))
        for segment, new in self.text.changes(edits):
            if segment.address and not self._is_exact(segment.address, segment.text):
                done.append((*segment.address, self._escaped(new, segment.address[0])))
        return done

    def _is_exact(self, bounds: Range, text: str) -> bool:
        return self._raw[slice(*bounds)] == text

    def _read(self) -> None:
        stack: list[tuple[str, bool]] = []
        number = 0
        for piece in xml_pieces(self._raw):
            inside = any(is_mixed for _, is_mixed in stack)
            if piece.kind == "open":
                self._builder.cut("" if inside else "\n")
                stack.append((piece.name, self._mixed[number]))
                number += 1
                self._note_attributes(piece)
            elif piece.kind == "close":
                stack.pop()
                self._builder.cut("" if any(is_mixed for _, is_mixed in stack) else "\n")
            elif piece.kind == "comment":
                self._literal.add(piece.start)
                self._asides.append(("", (piece.start, piece.end)))
            else:
                self._text(piece, stack[-1][0] if stack else "", is_mixed=inside)
        for name, bounds in self._asides:
            self._builder.cut()
            self._add(name, bounds)

    def _note_attributes(self, piece: Piece) -> None:
        for attribute in piece.attributes:
            is_code_of_program = _CODED.fullmatch(attribute.name) and is_code(attribute.value)
            is_technical = is_code_of_program or _TECHNICAL.fullmatch(attribute.name)
            if not is_technical and not is_public_address(attribute.value):
                self._asides.append((attribute.name.rpartition(":")[2], (attribute.start, attribute.end)))

    def _text(self, piece: Piece, name: str, *, is_mixed: bool) -> None:
        bounds = (piece.start, piece.end)
        if piece.kind == "cdata":
            self._literal.add(piece.start)
        if is_mixed:
            add_text(self._builder, self._raw, bounds, collapse=True)
        elif self._raw[slice(*bounds)].strip():
            self._add(name, bounds)

    def _add(self, name: str, bounds: Range) -> None:
        """Add a value after its caption."""
        spelled = self._raw[slice(*bounds)]
        value = spelled if bounds[0] in self._literal else html.unescape(spelled)
        field = field_of(name, value)
        if field is None:
            return
        if name and not may_be_data(name):
            self._builder.add(f"{name}: ", None)
        if field.label or bounds[0] in self._literal:
            self._builder.add(value, bounds, *field)
        else:
            add_text(self._builder, self._raw, bounds, collapse=False)

    def _escaped(self, new: str, start: int) -> str:
        if start not in self._literal:
            return html.escape(new)
        return new.replace("]]>", "]] >").replace("--", "- -").replace("?>", "? >")


def _mixed(tree: etree._ElementTree) -> list[bool]:
    """Whether each element, in document order, is a paragraph or has text beside its children."""
    return [_is_mixed(element) for element in tree.iter() if isinstance(element.tag, str)]


def _is_mixed(element: etree._Element) -> bool:
    if etree.QName(element).localname.lower() in _PARAGRAPHS:
        return True
    return len(element) > 0 and any((text or "").strip() for text in (element.text, *(c.tail for c in element)))
