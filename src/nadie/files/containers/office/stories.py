"""The stories of a Word document: body, headers, footers, notes and comments, in reading order.

The runs of a paragraph are joined. Content anchored in a paragraph comes after the story: text boxes, instructions of
fields, names and dates of tracked changes, alternative texts. A paragraph with tracked deletions is read a second time,
as it was before them.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from nadie.files.containers.office.coded import arguments
from nadie.files.containers.office.ooxml import IS_FILE, Parts
from nadie.files.containers.office.text_attributes import INSTRUCTIONS, TEXTS, has_text, stray_texts
from nadie.files.containers.office.word_names import WordNames
from nadie.files.containers.office.xml_address import TAIL, XmlAddress, XmlText, attribute_of, local
from nadie.labels import Label

_DELETED = frozenset({"del", "moveFrom"})
_INSERTED = frozenset({"ins", "moveTo"})
_BREAKS = frozenset({"br", "cr", "tr", "tbl"})
_BOXES = frozenset({"txbxContent", "textbox", "rt"})
_CHARACTERS = {"noBreakHyphen": "-"}
_DATES = frozenset({"date", "dateUtc", "fullDate"})


class Stories:
    """Adds the stories to one text, part by part."""

    def __init__(self, parts: Parts, builder: XmlText, names: WordNames) -> None:
        self._parts = parts
        self._builder = builder
        self._names = names
        self._part = ""
        self._added: set[etree._Element] = set()
        self._boxes: list[etree._Element] = []
        self._instructions: list[list[etree._Element]] = []

    def read(self, part: str) -> None:
        """Add one part: the visible text, the deleted text, and anchored content."""
        self._part = part
        root = self._parts.root(part)
        self._builder.cut()
        self._walk(root, _DELETED)
        while self._boxes:
            self._builder.cut()
            self._walk(self._boxes.pop(0), _DELETED)
        for paragraph in root.iter():
            if local(paragraph) == "p" and any(local(e) in _DELETED for e in paragraph.iter()):
                self._builder.cut()
                self._walk(paragraph, _INSERTED)
        self._boxes.clear()  # already read, with their own paragraphs
        for element in root.iter():
            if local(element) in TEXTS and element not in self._added:
                # where no text is allowed, such as a deletion around paragraphs
                self._builder.add_line(XmlAddress(part, element))
        self._add_instructions()
        self.read_attributes(part)

    def read_attributes(self, part: str) -> None:
        """Add the attributes of a part with text: alternative texts, authors, dates, items of lists."""
        for element in self._parts.root(part).iter():
            if not isinstance(element.tag, str):
                self._builder.add_line(XmlAddress(part, element))
                continue
            for attribute in map(str, element.attrib):
                name = attribute.rpartition("}")[2]
                if name == "author":
                    self._builder.add_line(XmlAddress(part, element, attribute), Label.NOMBRE_PERSONAL_SANITARIO)
                elif name in _DATES:
                    self._builder.add_line(XmlAddress(part, element, attribute, "date"), Label.FECHAS)
                elif name == "instr":
                    self._add_instruction([XmlAddress(part, element, attribute)])
                elif has_text(element, attribute):
                    self._builder.add_line(XmlAddress(part, element, attribute))
            for address in stray_texts(part, element):
                self._builder.add_line(address)

    def _walk(self, element: etree._Element, skipped: frozenset[str]) -> None:
        name = local(element)
        if name in TEXTS:
            self._add_text(element)
        elif name in INSTRUCTIONS:
            self._instruct(element)
        elif name in _CHARACTERS:
            self._builder.add(_CHARACTERS[name], XmlAddress(self._part, element, form="char"))
        elif name == "sym":
            self._builder.add(_symbol(element), XmlAddress(self._part, element, form="char"))
        elif name == "fldChar":
            self._instructions.append([])
        elif name in ("tab", "ptab") and local(_parent(element)) == "r":
            self._builder.cut("\t")
        elif name not in ("rPr", "pPr"):
            self._walk_inside(element, name, skipped)

    def _walk_inside(self, element: etree._Element, name: str, skipped: frozenset[str]) -> None:
        cut = "\n" if name in _BREAKS else "\t" if name == "tc" else _end_of(element) if name == "p" else ""
        self._builder.cut(cut)
        for child in element:
            kind = local(child)
            if kind in _BOXES:
                self._boxes.append(child)
            elif kind not in skipped:
                self._walk(child, skipped)
        self._builder.cut(cut)

    def _add_text(self, element: etree._Element) -> None:
        self._added.add(element)
        self._builder.add_at(XmlAddress(self._part, element))
        for child in element:  # an XML comment may be in the middle of a text
            self._builder.add_at(XmlAddress(self._part, child, TAIL))

    def _instruct(self, element: etree._Element) -> None:
        if not self._instructions:
            self._instructions.append([])
        self._instructions[-1].append(element)

    def _add_instructions(self) -> None:
        seen: set[int] = set()
        for instruction in self._instructions:
            new = [element for element in instruction if id(element) not in seen]
            seen.update(map(id, new))
            self._add_instruction([XmlAddress(self._part, element) for element in new])
        self._instructions.clear()

    def _add_instruction(self, places: list[XmlAddress]) -> None:
        """Add the prose in the instruction of a field, and note the names in it."""
        whole = "".join(place.whole() for place in places)
        for start, end, kind in arguments(whole):
            ranges = list(_ranges(places, start, end))
            if kind != "prose":
                self._names.note(kind, ranges)
                continue
            self._builder.cut()
            label = Label.URL_WEB if IS_FILE.match(whole[start:end]) else None
            for place in ranges:
                self._builder.add_at(place, label)


def _ranges(places: list[XmlAddress], start: int, end: int) -> Iterator[XmlAddress]:
    """The ranges of the strings that make up a range of all of them together."""
    at = 0
    for place in places:
        length = len(place.whole())
        low, high = max(start - at, 0), min(end - at, length)
        if low < high:
            yield place._replace(form="argument", start=low, end=high)
        at += length


def _end_of(paragraph: etree._Element) -> str:
    """The separator after a paragraph: a tab if it is the only one in a cell."""
    parent = _parent(paragraph)
    is_cell = local(parent) == "tc" and sum(local(child) in ("p", "tbl") for child in parent) == 1
    return "\t" if is_cell else "\n"


def _parent(element: etree._Element) -> etree._Element:
    parent = element.getparent()
    return element if parent is None else parent


def _symbol(element: etree._Element) -> str:
    """The character of a symbol font; characters of the private area represent the codes below them."""
    try:
        number = int(attribute_of(element, "char"), 16)
    except ValueError:
        return ""
    number -= 0xF000 if 0xF020 <= number <= 0xF0FF else 0
    return chr(number) if 0x20 <= number < 0x110000 and not 0xD800 <= number < 0xE000 else ""
