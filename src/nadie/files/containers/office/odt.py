"""OpenDocument texts: body, headers, footers, notes, comments, changes, frames, properties and the objects inside.

Only the parts that change are rewritten.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import BinaryIO

from nadie.errors import Failure
from nadie.files.container import Edits, OpenOptions
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.names import is_personal
from nadie.files.containers.office.odf import Content
from nadie.files.containers.office.odf_names import OdfNames
from nadie.files.containers.office.ooxml import MANIFEST, Parts, add_data, is_xml
from nadie.files.containers.office.xml_address import (
    TAIL,
    TEXT,
    XmlAddress,
    XmlText,
    attribute_of,
    become_span,
    changes_of,
    is_of_text,
    local,
    remove,
)
from nadie.files.containers.prose import is_prose
from nadie.files.mapped import MappedText
from nadie.files.source import Source

_WITH_TEXT = ("document-content", "document-styles")
_DROPPED = re.compile(r"(?:.*/)?(?:(?:Thumbnails|ObjectReplacements)/.+|layout-cache)")
_TECHNICAL = re.compile(r"mimetype|(?:.*/)?Fonts/.*")
_PICTURES = re.compile(r"^(?:.*/)?(?:Pictures|Media|Configurations2/images)/")
_PROGRAMS = re.compile(r"^(?:Basic|Scripts|Dialogs)/")
_VALUE = re.compile(r"}(?:date-|time-|string-|boolean-)?value$")
_ENDS = frozenset({"table-cell", "text-box", "note-body", "annotation", "text", "meta"})
_FORGOTTEN = frozenset(
    "PrinterName PrinterSetup PrintFaxName CurrentDatabaseDataSource CurrentDatabaseCommand EmbeddedDatabaseName "
    "RedlineProtectionKey".split()
)
_KNOWN = frozenset((*_WITH_TEXT, "document-meta", "document-settings", "math", "manifest"))


class TextDocument(TextWithMembers):
    """An open document, held in memory: one text with all its content, and the texts of embedded files."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._parts = Parts(source)
        self._check()
        self._parts.dropped.update(name for name in self._parts.names if _DROPPED.fullmatch(name))
        self._text = self._read()
        inside = [name for name in self._parts.names if _is_listed(name)]
        self._parts.open_inside(inside, _PICTURES, _PROGRAMS, self._members, self.account)

    def _put(self, edits: Edits) -> None:
        changes = changes_of(self._text, edits)
        self._parts.put([*changes, *self._names.changes()])
        for address, _ in changes:
            _forget_value(address)
        self._forget()

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        self._parts.save(copies, out)

    def _fail_in(self, name: str, failure: Failure) -> None:
        self._parts.leave_out(name, failure, self.account)

    def _check(self) -> None:
        if MANIFEST in self._parts.names and any(
            local(element).endswith("encryption-data") for element in self._parts.root(MANIFEST).iter()
        ):
            self._parts.fail("is encrypted: decrypt it first")
        if not {"content.xml", "styles.xml"}.intersection(self._parts.names):  # a template may have styles only
            self._parts.fail("has no body")
        self._parts.drop_signatures("document-signatures", self.account)
        if self._parts.by_root["version-list"]:
            self._parts.fail("contains earlier versions of itself: remove them")
        if any(local(element) == "binary-data" for _, element in self._parts.elements("document-content")):
            self._parts.fail("contains a file inside its XML, which is not supported")

    def _read(self) -> MappedText[XmlAddress]:
        builder = XmlText()
        self._names = OdfNames(self._parts.names, builder)
        content = Content(self._parts, builder, self._names)
        for name in self._parts.with_root(*_WITH_TEXT):
            content.read(name)
        for name in self._parts.with_root("document-meta"):
            content.read_meta(name)
        for name, element in self._parts.elements("math"):
            builder.cut(" ")
            builder.add_at(XmlAddress(name, element))
        for name, element in self._parts.elements("document-settings"):
            is_text = attribute_of(element, "type") in ("", "string")
            if is_prose(element.text or "") or (is_text and is_personal(element.text or "")):
                builder.add_line(XmlAddress(name, element))
        for root, names in self._parts.by_root.items():
            for name in names:
                if root not in _KNOWN and not _PROGRAMS.match(name):
                    add_data(self._parts, builder, name)
        return builder.build()

    def _forget(self) -> None:
        """Remove initials of authors, names of printers, and preview images of pages and objects."""
        for name, element in list(self._parts.elements(*_WITH_TEXT)):
            if local(element).endswith(("creator-initials", "sender-initials")):
                remove(element)
                self._parts.touch(name)
        for name, element in self._parts.elements("document-settings"):
            if element.text and any(str(value) in _FORGOTTEN for value in element.attrib.values()):
                element.text = ""
                self._parts.touch(name)
        dropped = self._parts.dropped
        for element in list(self._parts.root(MANIFEST)) if dropped and MANIFEST in self._parts.names else ():
            if any(str(value) in dropped for value in element.attrib.values()):
                remove(element)
                self._parts.touch(MANIFEST)


def _is_listed(name: str) -> bool:
    """Whether a part is a separate file; scripts are XML, but not searched."""
    is_read = is_xml(name) and not _PROGRAMS.search(name)
    return not is_read and not _TECHNICAL.fullmatch(name)


def _forget_value(address: XmlAddress) -> None:
    """Remove the stored value of a changed text: that of the cell or the field around it."""
    for around in (address.element, *address.element.iterancestors()) if address.attribute in (TEXT, TAIL) else ():
        if around is address.element and address.attribute == TAIL:
            continue
        keys = [str(key) for key in around.attrib if _VALUE.search(str(key))]
        if keys and is_of_text(around):
            become_span(around)
        elif local(around) == "table-cell":
            for key in keys:
                del around.attrib[key]
            for key in (str(key) for key in around.attrib):
                if key.endswith("}value-type"):
                    around.set(key, "string")
        if local(around) in _ENDS:
            return
