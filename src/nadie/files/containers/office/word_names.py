"""The names in a Word document that links, fields and paragraphs refer to: bookmarks, form fields and styles."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lxml import etree

from nadie.files.containers.names import Names
from nadie.files.containers.office.ooxml import Parts
from nadie.files.containers.office.xml_address import XmlAddress, attribute_of, key_of, local

_STYLED = frozenset(
    "pStyle rStyle tblStyle basedOn next link styleLink numStyleLink clickAndTypeStyle defaultTableStyle".split()
)
_STYLES = ("styles", "stylesWithEffects")
_BETWEEN = re.compile(r"([,;])")


class WordNames:
    """The names of one document; `changes` are their new spellings, wherever they are."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._bookmarks = Names("bookmark", ignore_case=True)
        self._styles = Names("Style ")
        self._ids = Names("Style")
        self._in_fields: list[tuple[Names, Sequence[XmlAddress]]] = []
        for part, element in self._elements():
            tag = local(element)
            if tag == "bookmarkStart":
                self._bookmarks.define(attribute_of(element, "name"))
            elif tag == "style":
                self._ids.define(attribute_of(element, "styleId"))
            elif tag == "name" and part in self._of_styles:
                self._styles.define(attribute_of(element, "val"))

    def note(self, kind: str, places: Sequence[XmlAddress]) -> None:
        """Add a reference in the instruction of a field; it may be split over several elements."""
        self._in_fields.append((self._bookmarks if kind == "bookmark" else self._styles, places))

    def changes(self) -> Iterator[tuple[XmlAddress, str]]:
        """The addresses of all names that change, with the new names."""
        for part, element in self._elements():
            for names, attribute in self._resolved(part, element):
                key = key_of(element, attribute)
                old = str(element.get(key)) if key else ""
                if old and (new := _renamed(names, old)) != old:
                    yield XmlAddress(part, element, key), new
        for names, places in self._in_fields:
            old = "".join(place.value() for place in places)
            if (new := _renamed(names, old)) != old:
                yield from ((place, "" if n else new) for n, place in enumerate(places))

    def _resolved(self, part: str, element: etree._Element) -> Iterator[tuple[Names, str]]:
        """The attributes of an element that are names."""
        tag, parent = local(element), element.getparent()
        if tag == "bookmarkStart" or (tag == "name" and parent is not None and local(parent) == "ffData"):
            yield self._bookmarks, "name" if tag == "bookmarkStart" else "val"
        elif tag == "hyperlink":
            yield self._bookmarks, "anchor"
        elif tag == "property":  # of the file, with the text at a bookmark
            yield self._bookmarks, "linkTarget"
        elif tag in _STYLED:
            yield self._ids, "val"
        elif tag == "style":
            yield self._ids, "styleId"
        elif part in self._of_styles and tag in ("name", "aliases", "lsdException"):
            yield self._styles, "name" if tag == "lsdException" else "val"

    @property
    def _of_styles(self) -> list[str]:
        return [name for root in _STYLES for name in self._parts.by_root[root]]

    def _elements(self) -> Iterator[tuple[str, etree._Element]]:
        roots = [root for root in self._parts.by_root if root not in ("Relationships", "Types", "theme", "fonts")]
        return self._parts.elements(*roots)


def _renamed(names: Names, value: str) -> str:
    """The new name, or the new names in a list such as `Título 1;1;Anexo;2`."""
    return "".join(part if _BETWEEN.fullmatch(part) else names.of(part) for part in _BETWEEN.split(value))
