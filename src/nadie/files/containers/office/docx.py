"""Word documents since 2007: every story, property and embedded file; the formatting is unchanged.

Only the parts that change are rewritten. Embedded documents, such as the workbook of a chart, are opened by their own
format; one that cannot be opened is emptied and listed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import BinaryIO

from lxml import etree

from nadie.errors import Failure
from nadie.files.container import Edits, OpenOptions
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.office import ooxml
from nadie.files.containers.office.stories import Stories
from nadie.files.containers.office.word_names import WordNames
from nadie.files.containers.office.xml_address import XmlAddress, XmlText, changes_of, local, remove
from nadie.files.mapped import MappedText
from nadie.files.source import Source

_STORIES = ("document", "hdr", "ftr", "footnotes", "endnotes", "comments", "glossaryDocument")
_BESIDE = ("settings", "webSettings", "numbering", "commentsExtensible")
_DRAWINGS = ("chartSpace", "dataModel", "drawing", "userShapes")
_DEFINED = ("layoutDef", "styleDef", "colorsDef")
_WITHOUT_TEXT = (
    *("styles", "stylesWithEffects", "fonts", "theme", "themeOverride", "Relationships", "commentsEx"),
    *("commentsIds", "chartStyle", "colorStyle"),
)
_LOOKED_INTO = frozenset(
    (*_STORIES, *_BESIDE, *_DRAWINGS, *_DEFINED, *_WITHOUT_TEXT, "Types", "coreProperties", "Properties", "people")
)
_CACHES = frozenset({"initials", "gfxdata"})
_PICTURES = re.compile(r"^word/(?:\w+/)*media/", re.IGNORECASE)
_FONTS = re.compile(r"\.(?:odttf|fntdata|ttf)$", re.IGNORECASE)
_PROGRAMS = re.compile(r"vba\w*\.bin$|/activeX/|/customUI/|keyMapCustomizations|attachedToolbars", re.IGNORECASE)


class WordDocument(TextWithMembers):
    """An open document, held in memory: one text with all its stories, and the texts of embedded files."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._parts = ooxml.Parts(source)
        if not self._parts.by_root["document"]:
            self._parts.fail("has no body")
        ooxml.drop_linked(self._parts, self.account)
        self._names = WordNames(self._parts)
        self._text = self._read()
        inside = [name for name in self._parts.names if not ooxml.is_xml(name) and not _FONTS.search(name)]
        self._parts.open_inside(inside, _PICTURES, _PROGRAMS, self._members, self.account)

    def _put(self, edits: Edits) -> None:
        self._parts.put([*changes_of(self._text, edits), *self._names.changes()])
        self._forget()

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        self._parts.save(copies, out)

    def _fail_in(self, name: str, failure: Failure) -> None:
        self._parts.leave_out(name, failure, self.account)

    def _read(self) -> MappedText[XmlAddress]:
        parts, builder = self._parts, XmlText()
        stories = Stories(parts, builder, self._names)
        for name in parts.with_root(*_STORIES):
            stories.read(name)
        for name in parts.with_root(*_BESIDE, *_DEFINED, "people"):
            stories.read_attributes(name)
        builder.cut()
        for root in _DRAWINGS:
            ooxml.add_drawings(parts, builder, root)
            for name in parts.with_root(root):
                stories.read_attributes(name)
        ooxml.add_charts(parts, builder)
        ooxml.add_theme_names(parts, builder)
        ooxml.add_strays(parts, builder, *_WITHOUT_TEXT)
        for name in self._data():
            ooxml.add_data(parts, builder, name)
        ooxml.add_links(parts, builder)
        ooxml.add_properties(parts, builder, titles=True)
        return builder.build()

    def _data(self) -> list[str]:
        """The parts with XML of any other kind, such as the data of forms and programs."""
        return [
            name
            for root, names in self._parts.by_root.items()
            for name in names
            if root not in _LOOKED_INTO or name.startswith("customXml/item")
        ]

    def _forget(self) -> None:
        """Remove initials and accounts of authors, data of fields, and copies of drawings."""
        for name, element in list(self._parts.elements(*_STORIES, "people")):
            if _is_forgotten(element):
                self._parts.touch(name)


def _is_forgotten(element: etree._Element) -> bool:
    """Remove such data from the element; return whether there was any."""
    if local(element) in ("presenceInfo", "fldData"):
        remove(element)
        return True
    found = [key for key in map(str, element.attrib) if key.rpartition("}")[2] in _CACHES]
    for key in found:
        del element.attrib[key]
    return bool(found)
