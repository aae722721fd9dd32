"""The content of OpenDocument files in reading order, for texts and for the charts and sheets inside them.

The spans of a paragraph are joined. Content next to it comes after it: notes, comments, frames, titles of images. If
changes were tracked, the body is read a second time, as it was before them.
"""

from __future__ import annotations

import re

from lxml import etree

from nadie.files.containers.names import is_personal
from nadie.files.containers.office.odf_names import OdfNames
from nadie.files.containers.office.ooxml import Parts
from nadie.files.containers.office.xml_address import TAIL, TEXT, XmlAddress, XmlText, attribute_of, local
from nadie.files.containers.prose import has_letters, is_prose
from nadie.labels import Label

_DRAWING = "{urn:oasis:names:tc:opendocument:xmlns:drawing:1.0}"
_PARAGRAPHS = frozenset({"p", "h"})
_BLOCKS = frozenset({"list-item", "table-row", "section", "table", "list"})
_BESIDE = frozenset({"note", "annotation", "title", "desc", "ruby-text", "event-listeners"})
_NAMED = frozenset({"title", "desc"})
_PEOPLE = frozenset({"creator", "initial-creator", "printed-by"})
_DATES = frozenset({"date", "creation-date", "print-date"})
_TECHNICAL_META = frozenset({"generator", "editing-cycles", "editing-duration", "document-statistic", "language"})
_SPACE = re.compile(r"[ \t\r\n]+")
_MAX_SPACES = 1000
_LONG = 120


class Content:
    """Adds the parts of an OpenDocument file to one text."""

    def __init__(self, parts: Parts, builder: XmlText, names: OdfNames) -> None:
        self._parts = parts
        self._builder = builder
        self._names = names
        self._part = ""
        self._later: list[etree._Element] = []
        self._deletions: dict[str, etree._Element] = {}
        self._insertions: set[str] = set()
        self._as_it_was = False
        self._inserted: set[str] = set()
        self._added: set[tuple[etree._Element, str]] = set()
        self._restored: set[str] = set()

    def read(self, part: str) -> None:
        """Add a part with paragraphs: the visible text, the deleted text, and the content next to paragraphs."""
        self._part = part
        root = self._parts.root(part)
        self._note_changes(root)
        self._read_all(root)
        if self._deletions:
            self._as_it_was = True
            self._read_all(root)
            for deletion in [self._deletions[each] for each in self._deletions.keys() - self._restored]:
                self._read_all(deletion)  # it is not in the body
            self._as_it_was = False
        self._read_strays(root)
        self.read_attributes(part)

    def read_meta(self, part: str) -> None:
        """Add the properties of the document."""
        self._part = part
        for element in self._parts.root(part).iter():
            self._builder.cut()
            kind = attribute_of(element, "value-type")
            if self._is_known(element) or not (element.text or "").strip() or _is_technical(element):
                continue
            form = "date" if kind == "date" else "number" if kind in ("float", "time", "boolean") else ""
            self._builder.add_at(XmlAddress(part, element, form=form))
        self.read_attributes(part)

    def read_attributes(self, part: str) -> None:
        """Add authors and dates, and the attributes with text or with external links."""
        for element in self._parts.root(part).iter():
            self._builder.cut()
            if not isinstance(element.tag, str):
                self._builder.add_at(XmlAddress(part, element))
                continue
            if local(element) in _PEOPLE:
                self._builder.add_at(XmlAddress(part, element), Label.NOMBRE_PERSONAL_SANITARIO)
            elif local(element) in _DATES and len(element) == 0 and not element.attrib:
                self._builder.add_at(XmlAddress(part, element, form="date"), Label.FECHAS)
            for key, value in element.attrib.items():
                self._builder.cut()
                self._names.read(XmlAddress(part, element, str(key)), str(key).rpartition("}")[2], str(value))

    def _read_strays(self, root: etree._Element) -> None:
        """Add texts at places where the format does not allow text."""
        for element in root.iter():
            for attribute in (TEXT, TAIL):
                address = XmlAddress(self._part, element, attribute)
                is_text = isinstance(element.tag, str) or attribute == TAIL
                if is_text and (element, attribute) not in self._added and has_letters(address.value()):
                    self._builder.cut()
                    if not (attribute == TEXT and self._is_known(element)):
                        self._builder.add_at(address)

    def _note_changes(self, root: etree._Element) -> None:
        self._deletions.clear()
        self._insertions.clear()
        self._restored.clear()
        for region in root.iter():
            if local(region) != "changed-region":
                continue
            name = attribute_of(region, "id")
            for change in region:
                if local(change) == "deletion":
                    self._deletions[name] = change
                elif local(change) == "insertion":
                    self._insertions.add(name)

    def _read_all(self, root: etree._Element) -> None:
        self._inserted.clear()
        self._builder.cut()
        self._children(root)
        while self._later:
            self._builder.cut()
            self._beside(self._later.pop(0))

    def _beside(self, element: etree._Element) -> None:
        if local(element) in _NAMED:
            self._inline(element)
        else:
            self._children(element)

    def _children(self, element: etree._Element) -> None:
        """Add blocks; the white space between them is layout."""
        for child in element:
            name = local(child)
            if name in _PARAGRAPHS:
                end = _end_of(child)
                self._builder.cut(end)
                self._inline(child)
                self._builder.cut(end)
            elif name in _BESIDE:
                self._later.append(child)
            elif name in ("change", "change-start", "change-end"):
                self._change(child, name)
            elif name != "tracked-changes" and not self._is_known(child):
                cut = "\n" if name in _BLOCKS else "\t" if name in ("table-cell", "covered-table-cell") else ""
                self._builder.cut(cut)
                self._children(child)
                self._builder.cut(cut)

    def _inline(self, element: etree._Element) -> None:
        self._add(XmlAddress(self._part, element))
        for child in element:
            name = local(child)
            if name == "s":
                self._spaces(child)
            elif name in ("tab", "line-break"):
                self._builder.cut("\t" if name == "tab" else "\n")
            elif name in ("change", "change-start", "change-end"):
                self._change(child, name)
            elif name in _BESIDE or str(child.tag).startswith(_DRAWING):
                self._later.append(child)
            elif name in _PARAGRAPHS:
                self._builder.cut()
                self._inline(child)
            elif name and not self._is_known(child):
                self._inline(child)
            self._add(XmlAddress(self._part, child, TAIL))

    def _change(self, mark: etree._Element, name: str) -> None:
        change = attribute_of(mark, "change-id")
        if not self._as_it_was:
            return
        if name == "change-start" and change in self._insertions:
            self._inserted.add(change)
        elif name == "change-end":
            self._inserted.discard(change)
        elif name == "change" and change in self._deletions:
            self._restored.add(change)
            for number, paragraph in enumerate(self._deletions[change]):
                if number > 1:  # the first has the author and the date of the deletion
                    self._builder.cut()
                if not local(paragraph).startswith("change-info"):
                    self._inline(paragraph)

    def _add(self, address: XmlAddress) -> None:
        value = address.value()
        if _SPACE.sub(" ", value) != value:  # equivalent by the standard
            address.write(_SPACE.sub(" ", value))
        if not self._inserted:
            self._added.add((address.element, address.attribute))
            self._builder.add_at(address)

    def _spaces(self, element: etree._Element) -> None:
        count = attribute_of(element, "c") or "1"
        if count.isdecimal() and not self._inserted:
            self._builder.add(" " * min(int(count), _MAX_SPACES), XmlAddress(self._part, element, form="char"))

    def _is_known(self, element: etree._Element) -> bool:
        """Whether it is the name or the date of an author, which are added with the attributes."""
        name = local(element)
        return name in _PEOPLE or (name in _DATES and len(element) == 0 and not element.attrib)


def _is_technical(element: etree._Element) -> bool:
    """Whether it is a property that the program sets automatically."""
    value = element.text or ""
    return local(element) in _TECHNICAL_META and not is_prose(value) and not is_personal(value) and len(value) < _LONG


def _end_of(paragraph: etree._Element) -> str:
    """The separator after a paragraph: a tab if it is the only one in a cell."""
    parent = paragraph.getparent()
    return "\t" if parent is not None and local(parent) == "table-cell" and len(parent) == 1 else "\n"
