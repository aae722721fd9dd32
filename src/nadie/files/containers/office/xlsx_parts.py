"""Text of an Excel workbook outside its cells: comments, headers, text boxes, formulas, rules, links, properties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from lxml import etree

from nadie.files.containers.names import Names
from nadie.files.containers.office.coded import header_texts, literals
from nadie.files.containers.office.ooxml import (
    Parts,
    add_charts,
    add_data,
    add_drawings,
    add_links,
    add_properties,
    add_strays,
    add_theme_names,
)
from nadie.files.containers.office.text_attributes import has_text
from nadie.files.containers.office.xml_address import XmlAddress, XmlText, local, remove
from nadie.files.containers.prose import has_letters
from nadie.files.mapped import MappedText
from nadie.labels import Label

_COMMENTS = ("comments", "ThreadedComments", "personList")
_HEADERS = re.compile(r"(?:odd|even|first)(?:Header|Footer)")
_FORMULAS = frozenset("f formula formula1 formula2 definedName calculatedColumnFormula totalsRowFormula".split())
_NAMES = frozenset("sheet table tableColumn definedName sheetName".split())
"""Elements whose names are references, see `workbook_names`."""
_REFERENCE = re.compile(r"[A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?(?: [A-Z]{1,3}\d+(?::[A-Z]{1,3}\d+)?)*|[\w.:{}-]+")
_LINKS = re.compile(r"(?:'[^']*'|[\w.]+)!\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?")
_DRAWINGS = ("wsDr", "chartSpace")
_TECHNICAL = frozenset("sst styleSheet Relationships Types coreProperties Properties calcChain".split())
_PUBLISHED = frozenset("webPublishItems webPublishObjects dataConsolidate securityDescriptor".split())
_FORGOTTEN = frozenset({("pageSetup", "id"), ("protectedRange", "securityDescriptor")})
_COPIES = {
    "pivotCacheDefinition": "a pivot table or a slicer, which keep copies of the cells",
    "pivotCacheRecords": "a pivot table or a slicer, which keep copies of the cells",
    "slicerCacheDefinition": "a pivot table or a slicer, which keep copies of the cells",
    "revisions": "a log of changes, which has earlier values of cells",
}


def copies_in(parts: Parts) -> str:
    """The name of a feature of the workbook that repeats cells and cannot be changed, if there is one."""
    return next((feature for root, feature in _COPIES.items() if parts.by_root[root]), "")


def other_texts(parts: Parts, sheets: Iterable[str], meta: Mapping[str, str] | None) -> MappedText[XmlAddress]:
    """All text outside cells, as one text. `sheets` are the parts whose cells are read elsewhere."""
    builder = XmlText()
    _add_comments(parts, builder)
    for name in (*sheets, *parts.with_root("workbook", "table", "chartsheet")):
        _add_around_cells(parts, builder, name)
    builder.cut()
    for root in _DRAWINGS:
        add_drawings(parts, builder, root)
        for name, element in parts.elements(root):
            _add_attributes(builder, name, element)
    add_charts(parts, builder)
    add_theme_names(parts, builder)
    add_strays(parts, builder, "styleSheet", "theme", "themeOverride", "Relationships")
    for name, element in parts.elements("styleSheet"):
        if local(element) == "numFmt":
            address = XmlAddress(name, element, "formatCode")
            builder.add_ranges(address, literals(address.whole()), "literal")
    known = {*_COMMENTS, *_DRAWINGS, *_TECHNICAL, "workbook", "worksheet", "table", "chartsheet", "theme"}
    for name in [name for root, names in parts.by_root.items() if root not in known for name in names]:
        add_data(parts, builder, name)
    builder.cut()
    add_links(parts, builder)
    add_properties(parts, builder)
    return builder.build("other parts", meta)


def forget_copies(parts: Parts) -> None:
    """Remove user accounts, cached cells of other workbooks, settings of printers and of publishing."""
    for name, element in parts.elements("personList"):
        for attribute in ("userId", "providerId"):
            if attribute in element.attrib:
                element.set(attribute, "None")
                parts.touch(name)
    for name, element in list(parts.elements("externalLink")):
        if local(element) in ("sheetDataSet", "ddeItems"):
            remove(element)
            parts.touch(name)
    published = []
    for name, element in parts.elements("workbook", "worksheet", "chartsheet"):
        tag = local(element)
        if tag in _PUBLISHED:
            published.append((name, element))
        elif tag in ("pageSetup", "protectedRange"):
            for key in [key for key in map(str, element.attrib) if (tag, key.rpartition("}")[2]) in _FORGOTTEN]:
                del element.attrib[key]
                parts.touch(name)
    for name, element in published:
        remove(element)
        parts.touch(name)


def _add_comments(parts: Parts, builder: XmlText) -> None:
    for name, element in parts.elements(*_COMMENTS):
        tag = local(element)
        if tag in ("comment", "threadedComment", "author", "person"):
            builder.cut()
        if tag == "author":
            builder.add_at(XmlAddress(name, element), Label.NOMBRE_PERSONAL_SANITARIO)
        elif tag == "person":
            builder.add_at(XmlAddress(name, element, "displayName"), Label.NOMBRE_PERSONAL_SANITARIO)
        elif tag == "threadedComment":
            builder.add_at(XmlAddress(name, element, "dT", "date"), Label.FECHAS)
            builder.cut()
        elif tag in ("t", "text"):
            builder.add_at(XmlAddress(name, element))


def _add_around_cells(parts: Parts, builder: XmlText, name: str) -> None:
    for element in parts.root(name).iter():
        tag = local(element)
        if tag in ("c", "row", "v", "t", "r"):  # cells, of which there may be many
            continue
        if _HEADERS.fullmatch(tag):
            builder.add_ranges(XmlAddress(name, element), header_texts(element.text or ""), "header")
        elif tag in _FORMULAS:
            builder.add_ranges(XmlAddress(name, element), literals(element.text or ""), "literal")
        elif has_letters(element.text) and not _REFERENCE.fullmatch(element.text or ""):
            builder.add_line(XmlAddress(name, element))
        _add_attributes(builder, name, element)


def _add_attributes(builder: XmlText, name: str, element: etree._Element) -> None:
    for key in map(str, element.attrib):
        address = XmlAddress(name, element, key)
        if _is_resolved(element, key, address.whole()):
            continue
        if key in ("val", "formula") and local(element) in ("cfvo", "tmpl"):
            builder.add_ranges(address, literals(address.whole()), "literal")
        elif has_text(element, key):
            builder.add_line(address)


def _is_resolved(element: etree._Element, attribute: str, value: str) -> bool:
    """Whether it is a name of a sheet, a range, a table or a column, or a link to one of them."""
    is_name = attribute in ("name", "displayName", "val") and local(element) in _NAMES
    return is_name or (attribute == "location" and _LINKS.fullmatch(value) is not None)


def rename_styles(parts: Parts) -> None:
    """Replace the names of cell styles that may be a person's; cells refer to styles by numbers."""
    names = Names("Style")
    for part, element in parts.elements("styleSheet"):
        if local(element) in ("cellStyle", "tableStyle") and names.of(element.get("name") or "") != element.get("name"):
            element.set("name", names.of(element.get("name") or ""))
            parts.touch(part)
