"""The common part of the Office formats since 2007: XML parts in a package, properties, drawings and links."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import PurePosixPath
from posixpath import normpath
from typing import BinaryIO, NoReturn

from lxml import etree

from nadie.errors import Failure, FormatError
from nadie.files.container import Account, Uncovered
from nadie.files.containers.markup import xml
from nadie.files.containers.members import Members
from nadie.files.containers.names import is_public_address, is_usual
from nadie.files.containers.office.text_attributes import has_text, stray_texts
from nadie.files.containers.office.xml_address import NUMBERS, TAIL, TEXT, XmlAddress, XmlText, local, remove
from nadie.files.containers.package import Package, is_side_file
from nadie.files.source import Source
from nadie.labels import Label

_STAFF = frozenset({"creator", "lastModifiedBy", "Manager"})
_DATES = frozenset({"created", "modified", "lastPrinted", "filetime", "date"})
_TECHNICAL = frozenset(
    "AppVersion DocSecurity TotalTime Pages Words Characters CharactersWithSpaces Lines Paragraphs "
    "PresentationFormat Slides Notes HiddenSlides MMClips ScaleCrop LinksUpToDate SharedDoc HyperlinksChanged bool "
    "DigSig revision".split()
)
_TEMPLATE = re.compile(r"Normal\.dot[mx]?", re.IGNORECASE)
_COUNTED = re.compile(r"[\d.,:\s-]*|true|false", re.IGNORECASE)
_PROGRAM = re.compile(r"(?:Microsoft|LibreOffice|OpenOffice)[\w .$/-]*")
_SIGNED = ("/digital-signature/origin", "/digital-signature/signature", "/digital-signature/certificate")
_DROPPED = ("/thumbnail", "/printerSettings", "/calcChain", *_SIGNED)
_XML = (".xml", ".rels", ".vml", ".rdf")
_LENIENT = ".vml"  # Excel writes it as HTML, not always well-formed
MANIFEST = "META-INF/manifest.xml"
_UNDECLARED = (
    b"<manifest:manifest>",
    b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">',
)
"""The beginning of the manifest of old templates, which use the prefix without its namespace, and its repair."""
_TECHNICAL_VALUE = re.compile(
    r"\{?[0-9a-f]{8}-[0-9a-f-]{27}\}?"
    r"|[\\/]?(?:APA|Chicago|GB7714|Gost|Harvard|IEEE|ISO690|MLA|SIST02|Turabian)\w*\.xsl",  # styles of bibliographies
    re.IGNORECASE,
)
_IN_CHARTS = frozenset({"", "t", "f", "sqref", "formatCode", "fullRef", "levelRef"})
"""Elements of charts whose text is a reference, or read elsewhere."""
_NUMERIC = frozenset({"numCache", "numLit", "numDim"})
_INTERNAL = re.compile(r"#[^!]+!\$?[A-Z]{1,3}\$?\d+")  # a link to a cell
IS_FILE = re.compile(r"file:|\\\\|[a-z]:[\\/]", re.IGNORECASE)


class Parts:
    """The parts of a package. XML parts are searched, and rewritten if they change; `dropped` parts are left out."""

    def __init__(self, source: Source) -> None:
        self._package = Package(source)
        self._where = source.where
        self.dropped = set(filter(is_side_file, self._package.entries))
        self.names = [name for name in self._package.names if name not in self.dropped]
        self._trees: dict[str, etree._ElementTree] = {}
        self._changed: set[str] = set()
        self._emptied: set[str] = set()

    def root(self, name: str) -> etree._Element:
        if name not in self._trees:
            content, where = self._package.read(name), f"{self._where}!{name}"
            lenient = name.lower().endswith(_LENIENT)
            self._trees[name] = xml.parse(content.replace(*_UNDECLARED), where, lenient=lenient)
            if lenient:  # text that the parser skipped is not in the tree and must not be in the copy
                self.touch(name)
        return self._trees[name].getroot()

    @cached_property
    def by_root(self) -> Mapping[str, list[str]]:
        """The names of all XML parts by the name of their root element, since the names of parts are not reliable."""
        found: dict[str, list[str]] = defaultdict(list)
        for name in self.names:
            if is_xml(name) and self._package.size(name):  # OpenOffice writes empty parts
                found[local(self.root(name))].append(name)
        return found

    def with_root(self, *roots: str) -> Iterator[str]:
        """The names of the parts that have one of these root elements."""
        return (name for root in roots for name in self.by_root[root])

    def elements(self, *roots: str) -> Iterator[tuple[str, etree._Element]]:
        """All elements of these parts, each with the name of its part."""
        return ((name, element) for name in self.with_root(*roots) for element in self.root(name).iter())

    def targets_of(self, part: str) -> Iterator[tuple[str, etree._Element]]:
        """The parts that a part refers to, each with the relationship."""
        folder, relations = part.rpartition("/")[0], _relations_of(part)
        for element in self.root(relations) if relations in self.names else ():
            if element.get("TargetMode") != "External":
                yield normpath(PurePosixPath("/", folder, element.get("Target") or "")).lstrip("/"), element

    def drop_signatures(self, root: str, account: Account) -> None:
        """Leave out the digital signatures, which name their signers."""
        if self.by_root[root]:
            self.dropped.update(self.by_root[root])
            account.remarks.append("the signature, which would be invalid, was removed")

    def put(self, changes: Iterable[tuple[XmlAddress, str]]) -> None:
        """Write new texts to their addresses, the ranges of one string from the last to the first."""
        for address, new in sorted(changes, key=lambda change: -change[0].start):
            address.write(new)
            self.touch(address.part)

    def touch(self, part: str) -> None:
        """Mark a part whose tree was changed, so that it is rewritten."""
        self._changed.add(part)

    def open_inside(
        self,
        names: Iterable[str],
        pictures: re.Pattern[str],
        programs: re.Pattern[str],
        members: Members,
        account: Account,
    ) -> None:
        """Open the embedded files by their formats; those that cannot be opened are emptied and listed as failures.

        Images and scripts are listed.
        """
        for name in names:
            if name in self.dropped:
                continue
            if pictures.search(name) or programs.search(name):
                kind = "an image" if pictures.search(name) else "a program"
                account.uncovered.append(Uncovered(name, f"{kind}, not changed"))
                continue
            content = self._package.read(name)
            if failure := members.failure_of(name, content):
                self.leave_out(name, failure, account, content)

    def leave_out(self, name: str, failure: Failure, account: Account, content: bytes = b"") -> None:
        """Empty an embedded file that cannot be covered: its part stays, because other parts refer to it."""
        account.leave_out(failure, content)
        self._emptied.add(name)

    def save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        """Write the package with the parts that changed, and the copies of embedded files."""
        for name in self.by_root["Types"] if self.dropped else ():
            for element in list(self.root(name)):
                if (element.get("PartName") or "").lstrip("/") in self.dropped:
                    remove(element)
                    self.touch(name)
        changed = {name: xml.serialized(self._trees[name]) for name in sorted(self._changed)}
        self._package.write(out, {**copies, **changed, **dict.fromkeys(self._emptied, b"")}, self.dropped)

    def fail(self, problem: str) -> NoReturn:
        raise FormatError(problem, where=self._where)


def _relations_of(part: str) -> str:
    folder, _, name = part.rpartition("/")
    return f"{folder}/_rels/{name}.rels".lstrip("/")


def is_xml(name: str) -> bool:
    """Whether a part is XML, by its name."""
    return name.lower().endswith(_XML)


def add_properties(parts: Parts, builder: XmlText, *, titles: bool = False) -> None:
    """Author, title, dates and all other properties of the document. Authors and dates are fields: they are replaced
    without detection. `titles` of parts are left out if they name parts whose names are kept.
    """
    for name, element in parts.elements("coreProperties", "Properties"):
        builder.cut()
        tag = local(element)
        if tag in _STAFF:
            builder.add_at(XmlAddress(name, element), Label.NOMBRE_PERSONAL_SANITARIO)
        elif tag in _DATES:
            builder.add_at(XmlAddress(name, element, form="date"), Label.FECHAS)
        elif tag == "property":
            builder.add_at(XmlAddress(name, element, "name"))
        elif tag in NUMBERS and not is_title_of_part(element):
            builder.add_at(XmlAddress(name, element, form="number"))
        elif _is_prose(element, tag) and (titles or not is_title_of_part(element)):
            builder.add_at(XmlAddress(name, element))


def _is_prose(element: etree._Element, tag: str) -> bool:
    """Whether a property may contain words: all except those that Office counts or sets automatically."""
    value = (element.text or "").strip()
    if tag == "Application":
        return not _PROGRAM.fullmatch(value)
    if not value or (tag == "Template" and _TEMPLATE.fullmatch(value)) or _is_heading(element, value):
        return False
    return tag not in _TECHNICAL or not _COUNTED.fullmatch(value)


def _is_heading(element: etree._Element, value: str) -> bool:
    """Whether it is a heading such as `Title` that Office writes above the titles of parts, or the number of these."""
    around = {local(parent) for parent in element.iterancestors()}
    return "HeadingPairs" in around and (is_usual(value) or value.isdecimal())


def add_drawings(parts: Parts, builder: XmlText, root: str) -> None:
    """The text of shapes, text boxes and charts: `t` elements, those of one `p` joined."""
    for name, element in parts.elements(root):
        if local(element) in ("p", "br"):
            builder.cut()
        elif local(element) == "t":
            builder.add_at(XmlAddress(name, element))


def add_charts(parts: Parts, builder: XmlText) -> None:
    """The texts of charts outside their paragraphs: names of series, categories and trends, literals, headers."""
    for part, element in parts.elements("chartSpace"):
        if local(element) in _IN_CHARTS or not (element.text or "").strip():
            continue
        if not _NUMERIC.intersection(local(parent) for parent in element.iterancestors()):
            builder.add_line(XmlAddress(part, element))


def add_theme_names(parts: Parts, builder: XmlText) -> None:
    """The names of the theme and of its fonts and colours, unless they are usual."""
    for part, element in parts.elements("theme", "themeOverride"):
        if "name" in element.attrib and not is_usual(element.get("name") or ""):
            builder.add_line(XmlAddress(part, element, "name"))


def add_strays(parts: Parts, builder: XmlText, *roots: str) -> None:
    """Texts in parts that have no text, such as styles and themes."""
    for part, element in parts.elements(*roots):
        for address in stray_texts(part, element):
            builder.add_line(address)


def add_links(parts: Parts, builder: XmlText) -> None:
    """External links. Links to files contain folders, and so user names: they are fields."""
    for name, element in parts.elements("Relationships"):
        target = element.get("Target") or ""
        if element.get("TargetMode") == "External" and not _INTERNAL.match(target):
            is_file = IS_FILE.match(target)
            builder.add_line(XmlAddress(name, element, "Target", "link"), Label.URL_WEB if is_file else None)


def add_data(parts: Parts, builder: XmlText, part: str) -> None:
    """All texts and all attributes except web addresses, numbers and single ordinary words, which programs use.

    In drawings of the old kind (VML) attributes are layout unless they are known to have text.
    """
    is_drawing = part.lower().endswith(_LENIENT)
    for element in parts.root(part).iter():
        for attribute in (TEXT, *map(str, element.attrib), TAIL):
            address = XmlAddress(part, element, attribute)
            value = address.value().strip()
            if not value or _TECHNICAL_VALUE.fullmatch(value) or is_public_address(value):
                continue
            is_attribute = attribute not in (TEXT, TAIL)
            if is_drawing and is_attribute and not has_text(element, attribute):
                continue
            if not (is_attribute or is_drawing) or len(value.split()) > 1 or not is_usual(value):
                builder.add_line(address)


def drop_linked(parts: Parts, account: Account) -> None:
    """Leave out previews, settings of printers, the order of calculation and signatures, with the links to them."""
    parts.drop_signatures("Signature", account)
    for name in parts.by_root["Relationships"]:
        owner = name.replace("_rels/", "").removesuffix(".rels")
        for target, element in list(parts.targets_of(owner)):
            if (element.get("Type") or "").endswith(_DROPPED):
                parts.dropped.update((target, _relations_of(target)))
                remove(element)
                parts.touch(name)


def is_title_of_part(element: etree._Element) -> bool:
    """Whether it names a sheet or a heading in `TitlesOfParts`, which repeats other parts."""
    return any(local(parent) in ("TitlesOfParts", "HeadingPairs") for parent in element.iterancestors())
