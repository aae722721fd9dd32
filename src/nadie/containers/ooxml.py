"""What the Office formats since 2007 share: XML parts in a package, document properties, drawings and links."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from nadie.containers import xml
from nadie.containers.mapped import Segment, TextBuilder
from nadie.containers.package import Package
from nadie.labels import Label

if TYPE_CHECKING:
    from lxml import etree

_PERSONAL_LINKS = ("mailto:", "tel:", "sms:")
_STAFF = frozenset({"creator", "lastModifiedBy", "Manager"})
_PROSE = frozenset(
    "title subject description keywords category contentStatus Company HyperlinkBase lpwstr lpstr".split()
)
_IS_LAYOUT = re.compile(r"\.vml$|printerSettings")


class Place(NamedTuple):
    """The address of a text in an XML part: an element's text or tail, or the value of an attribute."""

    part: str
    element: etree._Element
    attribute: str = "text"


class Parts:
    """The XML parts of a package that were looked into; those that change are written anew."""

    def __init__(self, package: Package, where: str) -> None:
        self._package = package
        self._where = where
        self._trees: dict[str, etree._ElementTree] = {}
        self._changed: set[str] = set()

    def root(self, name: str) -> etree._Element:
        if name not in self._trees:
            self._trees[name] = xml.parse(self._package.read(name), f"{self._where}!{name}")
        return self._trees[name].getroot()

    @cached_property
    def by_root(self) -> Mapping[str, list[str]]:
        """The names of all XML parts by the name of their outermost element: names of parts tell nothing for sure."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self._package.names:
            if name.lower().endswith((".xml", ".rels")):
                found[local(self.root(name))].append(name)
        return found

    def add(self, builder: TextBuilder[Place], place: Place, label: str | None = None) -> None:
        """Add what stands at a place of a part to the text."""
        value = getattr(place.element, place.attribute) if place.attribute in ("text", "tail") else None
        value = place.element.get(place.attribute) if place.attribute not in ("text", "tail") else value
        builder.add(value or "", place, label)

    def put(self, changes: Iterable[tuple[Segment[Place], str]]) -> None:
        """Write new texts to their places."""
        for segment, new in changes:
            part, element, attribute = segment.address
            if attribute == "text":
                element.text = new
            elif attribute == "tail":
                element.tail = new
            else:
                element.set(attribute, new)
            self.touch(part)

    def touch(self, part: str) -> None:
        """Have a part written anew, whose tree was changed."""
        self._changed.add(part)

    def changed(self) -> dict[str, bytes]:
        return {name: xml.serialized(self._trees[name]) for name in sorted(self._changed)}

    def uncovered(self, known: Collection[str]) -> list[str]:
        """The parts that are not looked into: pictures, programs, and XML whose outermost element is not `known`."""
        looked_into = {name for root, names in self.by_root.items() if root in known for name in names}
        return [name for name in self._package.names if name not in looked_into and not _IS_LAYOUT.search(name)]


def local(element: etree._Element) -> str:
    """The name of an element without its namespace; of a comment or an instruction, nothing."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def add_properties(parts: Parts, builder: TextBuilder[Place]) -> None:
    """Author, title and all other properties of the document. Authors are fields: no detector has to find them."""
    for name in [*parts.by_root["coreProperties"], *parts.by_root["Properties"]]:
        for element in parts.root(name).iter():
            builder.cut()
            if local(element) in _STAFF:
                parts.add(builder, Place(name, element), Label.NOMBRE_PERSONAL_SANITARIO)
            elif local(element) in _PROSE and not _is_title_of_part(element):
                parts.add(builder, Place(name, element))


def add_drawings(parts: Parts, builder: TextBuilder[Place], root: str) -> None:
    """The text of shapes, text boxes and charts: `t` elements, those of one `p` joined."""
    for name in parts.by_root[root]:
        for element in parts.root(name).iter():
            if local(element) in ("p", "br"):
                builder.cut()
            elif local(element) == "t":
                parts.add(builder, Place(name, element))


def add_links(parts: Parts, builder: TextBuilder[Place]) -> None:
    """Links to mail addresses and telephones."""
    for name in parts.by_root["Relationships"]:
        for element in parts.root(name).iter():
            if (element.get("Target") or "").lower().startswith(_PERSONAL_LINKS):
                builder.cut()
                parts.add(builder, Place(name, element, "Target"))


def _is_title_of_part(element: etree._Element) -> bool:
    """Whether it names a sheet or a heading in `TitlesOfParts`, which repeats other parts."""
    return any(local(parent) in ("TitlesOfParts", "HeadingPairs") for parent in element.iterancestors())
