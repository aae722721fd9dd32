"""Which attributes and stray texts of Office XML have human-readable text, as opposed to layout."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import etree

from nadie.files.containers.names import is_usual, shows_person
from nadie.files.containers.office.xml_address import TAIL, XmlAddress, local
from nadie.files.containers.prose import has_letters, is_prose

TEXTS = frozenset({"t", "delText"})
INSTRUCTIONS = frozenset({"instrText", "delInstrText"})
_WITH_TEXT = frozenset(
    "descr title alt tooltip string instr displayText anchor docLocation tgtFrame target lastValue href src ed editor "
    "prompt promptTitle altText phldrT error errorTitle comment description display location userName user text "
    "totalsRowLabel customMenu statusBar help destinationFile codeName shortcutKey reservationPassword".split()
)
_VALUES = frozenset(
    "alias tag default helpText statusText listEntry attr docVar query connectString udl tblCaption tblDescription "
    "name description mailSubject addressFieldName table mappedName format placeholder entryMacro exitMacro "
    "uniqueTag aliases inputCells title desc cellSmartTagPr".split()
)
_NAMED = frozenset(
    "docPr cNvPr docVar moveFromRangeStart moveToRangeStart caption attr scenario customWorkbookView protectedRange "
    "control customPr".split()
)
_LAYOUT = frozenset(
    "style path points formula eqn ascii hAnsi cs eastAsia typeface font Ignorable Requires schemaLocation sqref "
    "prefixMappings formatCode".split()
)
_RESOLVED = frozenset({("bookmarkStart", "name"), ("hyperlink", "anchor"), ("ffData", "val")})
"""Names of bookmarks and references to them, by element, or by the parent of a `name`: they are not prose."""
_OFFICE = re.compile(
    r"\{(?:http://schemas\.(?:openxmlformats|microsoft)\.|http://purl\.|http://www\.w3\.org/|urn:schemas-microsoft-)"
    r"|[^{]*$"
)
_MATH_FONT = re.compile(r"[A-Z][\w ]* Math")
_POSITIONS = frozenset({"align", "posOffset", "pctWidth", "pctHeight", "Anchor"})


def has_text(element: etree._Element, attribute: str) -> bool:
    """Whether an attribute contains human text: known ones, and all others that look like prose."""
    name, kind = attribute.rpartition("}")[2], local(element)
    value = str(element.get(attribute, ""))
    if name in _LAYOUT or (_owner(element), name) in _RESOLVED or not value:
        return False
    if kind == "mathFont" and _MATH_FONT.fullmatch(value):
        return False
    return (
        name in _WITH_TEXT
        or (name == "val" and kind in _VALUES)
        or (name == "val" and kind == "lvlText" and _has_words(value))
        or (name == "value" and kind == "listItem")
        or (name == "name" and kind in _NAMED and not is_usual(value))
        or is_prose(value)
        or (_is_foreign(element, attribute) and (has_letters(value) and not is_usual(value)))
    )


def _is_foreign(element: etree._Element, attribute: str) -> bool:
    """Whether neither the element nor the attribute belongs to Office, so that nothing is known of its values."""
    return not _OFFICE.match(str(element.tag)) and not _OFFICE.match(attribute)


def _owner(element: etree._Element) -> str:
    parent = element.getparent()
    return local(parent) if local(element) == "name" and parent is not None else local(element)


def stray_texts(part: str, element: etree._Element) -> Iterator[XmlAddress]:
    """Texts at places where the format does not allow text, in and after an element that is not a text."""
    is_position = local(element) in _POSITIONS and not shows_person(element.text or "")
    if local(element) not in TEXTS | INSTRUCTIONS and not is_position and has_letters(element.text):
        yield XmlAddress(part, element)
    parent = element.getparent()
    if parent is not None and local(parent) not in TEXTS and has_letters(element.tail):
        yield XmlAddress(part, element, TAIL)


def _has_words(number: str) -> bool:
    """Whether the numbering of a list contains words, and more than `%1.` or a dot."""
    return any(len(word) > 1 for word in re.findall(r"[^\W\d_]+", number))
