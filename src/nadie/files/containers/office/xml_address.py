"""Addresses of texts in XML trees, and how each is read and written: as text, a date, a number, a link."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import NamedTuple
from urllib.parse import quote

from lxml import etree

from nadie.files.containers.prose import unquoted
from nadie.files.mapped import Edit, MappedText, TextBuilder

_ISO_DATE = re.compile(r"-?\d{4,}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?")
_NO_DATE = "1970-01-01T00:00:00"
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_KEEP_SPACE = frozenset({"t", "delText", "instrText", "delInstrText"})
NUMBERS = frozenset("i1 i2 i4 i8 int ui1 ui2 ui4 ui8 uint r4 r8 decimal".split())
"""The types of properties that are numbers."""
_OPEN_DOCUMENT = "urn:oasis:names:tc:opendocument:xmlns:text:1.0"
_ESCAPED: dict[str, Callable[[str], str]] = {
    "literal": lambda new: new.replace('"', '""'),
    "header": lambda new: new.replace("&", "&&"),
    "argument": lambda new: re.sub(r'[\\"]', "", new),
}
TEXT, TAIL = "#text", "#tail"
"""The text inside an element and the text after it; no attribute can have such a name."""


class XmlAddress(NamedTuple):
    """The address of a text in an XML part: an element's text or tail, or the value of an attribute.

    The form determines the allowed values. `date`: anything but an ISO date is left out. `number`: a property whose
    type changes with its value. `link`: a percent-encoded address. `char`: the element itself represents characters,
    such as a non-breaking hyphen, and becomes an element with text when they change. `literal`: a string in a formula.
    `header`: text among the codes of a header.

    `start` and `end` are the range of prose in a string that a program resolves, such as a formula. The ranges of one
    string must be written from the last to the first.
    """

    part: str
    element: etree._Element
    attribute: str = TEXT
    form: str = ""
    start: int = 0
    end: int | None = None

    def whole(self) -> str:
        """The whole string, of which the address may be a range."""
        if self.attribute == TEXT:
            return self.element.text or ""
        if self.attribute == TAIL:
            return self.element.tail or ""
        return str(self.element.get(self.attribute) or "")

    def value(self) -> str:
        value = self.whole()[self.start : self.end]
        return unquoted(value) if self.form == "link" else value

    def write(self, new: str) -> None:
        new = _ESCAPED[self.form](new) if self.form in _ESCAPED else new
        if self.start or self.end is not None:
            whole = self.whole()
            new = whole[: self.start] + new + ("" if self.end is None else whole[self.end :])
        elif self.form == "link":
            new = quote(new, safe="/:?#@!$&'()*+,;=~-._")
        if self.form == "char":
            self._become_text(new)
        elif self.form == "date" and not _ISO_DATE.fullmatch(new.strip()):
            self._leave_out()
        elif self.form == "number" and not _NUMBER.fullmatch(new.strip()):
            self._become_string(new)
        elif self.attribute == TEXT:
            self._write_text(new)
        elif self.attribute == TAIL:
            self.element.tail = new
        else:
            self.element.set(self.attribute, new)

    def _write_text(self, new: str) -> None:
        self.element.text = new
        if local(self.element) in _KEEP_SPACE:
            self.element.set(_SPACE, "preserve")

    def _become_string(self, new: str) -> None:
        """Change the type with the value: it is the element's name in Office, an attribute in OpenDocument."""
        element = self.element
        if local(element) in NUMBERS:
            element.tag = sibling(element, "lpwstr")
        for key in (str(key) for key in element.attrib):
            if key.endswith("}value-type"):
                element.set(key, "string")
        if self.attribute == TEXT:
            element.text = new
        else:
            del element.attrib[self.attribute]
            element.set(_sibling_name(self.attribute, "string-value"), new)

    def _become_text(self, new: str) -> None:
        if is_of_text(self.element):
            become_span(self.element)
            self.element.text = new
            return
        for key in list(self.element.attrib):
            del self.element.attrib[key]
        self.element.tag = sibling(self.element, "t")
        self.element.text = new
        self.element.set(_SPACE, "preserve")

    def _leave_out(self) -> None:
        parent = self.element.getparent()
        if self.attribute != TEXT and self.element.text and is_of_text(self.element):
            become_span(self.element)  # without its value the field would show the current date
        elif self.attribute != TEXT:
            self.element.attrib.pop(self.attribute, "")
        elif parent is not None and local(parent) == "change-info":
            self.element.text = _NO_DATE  # without a date LibreOffice misplaces a tracked change
        else:
            remove(self.element)


class XmlText(TextBuilder[XmlAddress]):
    """Builds a text from the texts at addresses in XML parts."""

    def add_at(self, address: XmlAddress, label: str | None = None) -> None:
        """Add the text at an address, joined to the previous one."""
        self.add(address.value(), address, label)

    def add_ranges(self, address: XmlAddress, ranges: Iterable[tuple[int, int]], form: str) -> None:
        """Add the prose in a string that a program resolves, each range as a line."""
        for start, end in ranges:
            self.add_line(address._replace(form=form, start=start, end=end))

    def add_line(self, address: XmlAddress, label: str | None = None) -> None:
        """Add the text at an address as the beginning of a line."""
        self.cut()
        self.add_at(address, label)


def changes_of(text: MappedText[XmlAddress], edits: Iterable[Edit]) -> list[tuple[XmlAddress, str]]:
    """The addresses whose texts change, with their new texts."""
    return [(segment.address, new) for segment, new in text.changes(edits)]


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; empty for comments and processing instructions."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def attribute_of(element: etree._Element, name: str) -> str:
    """The value of an attribute in any namespace, or an empty string."""
    return next((str(value) for key, value in element.attrib.items() if str(key).endswith(f"}}{name}")), "")


def key_of(element: etree._Element, name: str) -> str:
    """The attribute with that name in any namespace, or an empty string."""
    return next((key for key in map(str, element.attrib) if key.rpartition("}")[2] == name), "")


def is_of_text(element: etree._Element) -> bool:
    """Whether it is one of OpenDocument's text elements."""
    return str(element.tag).startswith(f"{{{_OPEN_DOCUMENT}}}")


def become_span(field: etree._Element) -> None:
    """Replace a field of an OpenDocument text by its visible text."""
    for key in list(field.attrib):
        del field.attrib[key]
    field.tag = f"{{{_OPEN_DOCUMENT}}}span"


def remove(element: etree._Element) -> None:
    """Remove an element from its tree, but keep the text after it."""
    parent, tail = element.getparent(), element.tail
    if parent is None:
        return
    before = element.getprevious()
    if tail and before is not None:
        before.tail = (before.tail or "") + tail
    elif tail:
        parent.text = (parent.text or "") + tail
    parent.remove(element)


def sibling(element: etree._Element, name: str) -> str:
    """The tag of that name in the namespace of the element."""
    return _sibling_name(str(element.tag), name)


def _sibling_name(known: str, name: str) -> str:
    """The name in the same namespace as the known one."""
    namespace, brace, _ = known.rpartition("}")
    return f"{namespace}{brace}{name}"
