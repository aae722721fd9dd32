"""Attributes and stray texts of Office XML with human-readable text, as opposed to layout."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from nadie.files.containers.office.places import TAIL, Place, local

if TYPE_CHECKING:
    from lxml import etree

TEXTS = frozenset({"t", "delText"})
INSTRUCTIONS = frozenset({"instrText", "delInstrText"})
_SPOKEN = frozenset(
    "descr title alt tooltip string instr displayText anchor docLocation tgtFrame target lastValue href src ed editor "
    "prompt promptTitle error errorTitle comment description display location userName user text".split()
)
_VALUES = frozenset(
    "alias tag default helpText statusText listEntry attr docVar query connectString udl tblCaption tblDescription "
    "name description mailSubject addressFieldName table mappedName format placeholder entryMacro exitMacro "
    "uniqueTag aliases inputCells".split()
)
_NAMED = frozenset(
    "docPr cNvPr docVar moveFromRangeStart moveToRangeStart caption attr theme definedName scenario".split()
)
_LAYOUT = frozenset(
    "style path points formula eqn ascii hAnsi cs eastAsia typeface font Ignorable Requires schemaLocation sqref "
    "prefixMappings formatCode".split()
)
_PROSE = re.compile(r"[^\W\d_]{2}[,.;:]?[ \u00a0][^\W\d_]{2}|[^\W\d_a-zA-Z]|\w@\w")
_IDENTIFIER = re.compile(r"[^\W\d_]{2}[.:º]?[ \u00a0]\d{5}|(?<!\w)(?:\d{8}|[XYZ]\d{7})-?[A-Z](?!\w)")
_TEXTLESS = re.compile(r"[\W\d_]*")
_PLACED = frozenset({"align", "posOffset", "pctWidth", "pctHeight", "Anchor"})


def is_prose(value: str) -> bool:
    """Whether a value looks like human text: two words, an unusual letter, an address, or an identifier."""
    return _PROSE.search(value) is not None or is_identifier(value)


def is_identifier(value: str) -> bool:
    """Whether a value, where a code is expected, has a word with a long number or the form of a Spanish DNI or NIE."""
    return _IDENTIFIER.search(value) is not None


def has_letters(value: str | None) -> bool:
    return not _TEXTLESS.fullmatch(value or "")


def says_something(element: etree._Element, attribute: str) -> bool:
    """Whether an attribute contains human text: known ones, and all others that look like prose."""
    name, kind = attribute.rpartition("}")[2], local(element)
    if name in _LAYOUT:
        return False
    value = str(element.get(attribute, ""))
    return (
        name in _SPOKEN
        or (name == "val" and kind in _VALUES)
        or (name == "val" and kind == "lvlText" and _has_words(value))
        or (name == "value" and kind == "listItem")
        or (name == "name" and kind in _NAMED)
        or (name == "name" and kind == "bookmarkStart" and not value.startswith("_"))
        or is_prose(value)
    )


def stray_texts(part: str, element: etree._Element) -> Iterator[Place]:
    """Texts at places where the format does not allow text, in and after an element that is not a text."""
    if local(element) not in TEXTS | INSTRUCTIONS | _PLACED and has_letters(element.text):
        yield Place(part, element)
    parent = element.getparent()
    if parent is not None and local(parent) not in TEXTS and has_letters(element.tail):
        yield Place(part, element, TAIL)


def _has_words(number: str) -> bool:
    """Whether the numbering of a list contains words, and more than `%1.` or a dot."""
    return any(len(word) > 1 for word in re.findall(r"[^\W\d_]+", number))
