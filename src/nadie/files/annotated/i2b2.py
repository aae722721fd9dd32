"""The task's XML, like that of i2b2: the text in CDATA, and one tag for each span, named after its parent class.

XML parsers convert every CR LF and every CR of a file into LF, except a CR written as `&#13;`, and CDATA cannot contain
such references. So on writing the CDATA section is closed before a CR and opened again after it; the text is then the
same when it is read. Characters that XML 1.0 cannot represent, such as NUL or form feed, are an error.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.parsers import expat

from nadie.document import Document, Span
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.annotated.spans import checked_span, offset
from nadie.files.format import FileFormat
from nadie.files.label_sets import MEDDOCAN, LabelSet
from nadie.labels import Label, Parent

_FORBIDDEN = "[^\t\n\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]"
_ATTRIBUTE = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;", "\r": "&#13;"}
)
# A parser may convert each of these into a space inside an attribute.
_WHITE = {ord(character): " " for character in "\t\n\r"}
_OTHER_ROOT = "deIdi2b2"  # the root of i2b2's own files
_TAGS = frozenset((*Parent, "PHI"))


class I2b2(FileFormat):
    """`ID.xml`. Score and source of a span cannot be stored and are dropped on writing."""

    name = "i2b2"
    suffixes = (".xml",)
    suffix = ".xml"

    def read_file(self, name: str, file: Path) -> Document:
        return parse_xml(files.read_bytes(file), name, str(file), self.labels)

    def write_file(self, document: Document, file: Path) -> None:
        files.write_bytes(file, format_xml(document, str(file), self.labels))


def format_xml(document: Document, where: str, labels: LabelSet = MEDDOCAN) -> bytes:
    """The content of the document's `.xml` file; `where` names it for the error."""
    if forbidden := re.search(_FORBIDDEN, document.text):
        at = forbidden.start()
        raise FormatError(f"XML cannot represent the character U+{ord(document.text[at]):04X} at {at}", where=where)
    text = document.text.replace("]]>", "]]]]><![CDATA[>").replace("\r", "]]>&#13;<![CDATA[")
    tags = "".join(
        f'    <{Label(span.label).parent} id="T{number}" start="{span.start}" end="{span.end}"'
        f' text="{document.text_of(span).translate(_ATTRIBUTE)}"'
        f' TYPE="{labels.written(span.label, document.text_of(span))}" comment=""/>\n'
        for number, span in enumerate(document.spans, start=1)
    )
    root = "MEDDOCAN" if labels is MEDDOCAN else _OTHER_ROOT
    return (
        f"<?xml version='1.0' encoding='UTF-8'?>\n<{root}>\n"
        f"  <TEXT><![CDATA[{text}]]></TEXT>\n  <TAGS>\n{tags}  </TAGS>\n</{root}>\n"
    ).encode()


def parse_xml(content: bytes, name: str, where: str, labels: LabelSet = MEDDOCAN) -> Document:
    """The document of an `.xml` file; `where` names it for the error."""
    files.decode(content, where)
    return _Parser(where, labels).parse(content, name)


class _Parser:
    """Parses one file. A DTD is refused, so there are no entities to expand or to fetch; depth is bounded."""

    def __init__(self, where: str, labels: LabelSet) -> None:
        self._where = where
        self._labels = labels
        self._root = "MEDDOCAN" if labels is MEDDOCAN else _OTHER_ROOT
        self._open: tuple[str, ...] = ()
        self._pieces: list[str] | None = None
        self._tags: list[tuple[int, str, dict[str, str]]] | None = None
        self._expat = expat.ParserCreate("UTF-8")
        self._expat.StartDoctypeDeclHandler = self._doctype
        self._expat.XmlDeclHandler = self._declaration
        self._expat.StartElementHandler = self._start
        self._expat.EndElementHandler = self._end
        self._expat.CharacterDataHandler = self._characters

    def parse(self, content: bytes, name: str) -> Document:
        try:
            self._expat.Parse(content, True)
        except expat.ExpatError as error:
            raise self._error(f"is not well-formed XML ({expat.ErrorString(error.code)})", error.lineno) from None
        if self._pieces is None or self._tags is None:
            raise self._error("has no TEXT or no TAGS", self._expat.CurrentLineNumber)
        text = "".join(self._pieces)
        spans: list[Span] = []
        ids: set[str] = set()
        for line, parent, attributes in self._tags:
            try:
                span = _span(parent, attributes, text, self._labels)
                if attributes.get("id") in ids:
                    raise ValueError("the id was used before")
            except ValueError as error:
                raise self._error(str(error), line) from None
            ids.add(attributes.get("id", ""))
            spans.append(span)
        return Document(name, text, tuple(spans))

    def _error(self, message: str, line: int) -> FormatError:
        return FormatError(message, where=self._where, line=line)

    def _refuse(self, message: str) -> None:
        raise self._error(message, self._expat.CurrentLineNumber)

    def _doctype(self, *_: object) -> None:
        self._refuse("has a document type, which is not accepted")

    def _declaration(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if encoding is not None and encoding.lower() not in ("utf-8", "utf8", "us-ascii"):
            self._refuse("declares an encoding other than UTF-8")

    def _start(self, element: str, attributes: dict[str, str]) -> None:
        if _place(element, self._root) != self._open:
            self._refuse("has an element that does not belong there")
        if element == "TEXT":
            if self._pieces is not None:
                self._refuse("has two texts")
            self._pieces = []
        elif element == "TAGS":
            if self._tags is not None:
                self._refuse("has two lists of tags")
            self._tags = []
        elif self._tags is not None:
            self._tags.append((self._expat.CurrentLineNumber, element, attributes))
        self._open = (*self._open, element)

    def _end(self, _element: str) -> None:
        self._open = self._open[:-1]

    def _characters(self, characters: str) -> None:
        if self._open == (self._root, "TEXT") and self._pieces is not None:
            self._pieces.append(characters)
        elif characters.strip(" \t\r\n"):
            self._refuse("has text outside TEXT")


def _place(element: str, root: str) -> tuple[str, ...] | None:
    """The elements around an element."""
    if element in _TAGS:
        return (root, "TAGS")
    return {root: (), "TEXT": (root,), "TAGS": (root,)}.get(element)


def _span(parent: str, attributes: dict[str, str], text: str, labels: LabelSet) -> Span:
    try:
        start, end = offset(attributes["start"]), offset(attributes["end"])
        label, given = attributes["TYPE"], attributes["text"]
    except KeyError:
        raise ValueError("a tag has no start, end, text or TYPE") from None
    span = checked_span(start, end, labels.read(label), text)
    if labels is MEDDOCAN and Label(span.label).parent != parent:
        raise ValueError("the TYPE does not belong to the tag's name")
    if given.translate(_WHITE) != text[start:end].translate(_WHITE):
        raise ValueError(f"the text given is not the text at {start}..{end}")
    return span
