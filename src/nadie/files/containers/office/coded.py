"""Prose inside strings that an Office program resolves: formulas, number formats, headers and instructions of fields.

Only these ranges are searched. Everything around them is names, functions and switches.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from nadie.files.containers.names import has_long_number, is_usual

Range = tuple[int, int]

_LITERAL = re.compile(r'"((?:[^"]|"")*)"')
_HEADER_CODE = re.compile(r'&"[^"]*"|&K(?:[0-9A-Fa-f]{6}|\d\d[+-]\d{3})|&\d{1,3}|&&|&.', re.DOTALL)
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"?|(\\[^\s"])|([^\s"\\]+)', re.DOTALL)
_TO_BOOKMARKS = frozenset({"REF", "PAGEREF", "NOTEREF", "GOTOBUTTON", "FTNREF"})
_WITH_STYLES = frozenset({"STYLEREF"})
_KEYWORDS = frozenset(
    """
    ADDIN ADDRESSBLOCK ADVANCE ASK AUTHOR AUTONUM AUTONUMLGL AUTONUMOUT AUTOTEXT AUTOTEXTLIST BARCODE BIBLIOGRAPHY
    BIDIOUTLINE CITATION COMMENTS COMPARE CREATEDATE DATABASE DATE DDE DDEAUTO DISPLAYBARCODE DOCPROPERTY DOCVARIABLE
    EDITTIME EMBED EQ FILENAME FILESIZE FILLIN FORMCHECKBOX FORMDROPDOWN FORMTEXT GREETINGLINE HTMLCONTROL HYPERLINK IF
    IMPORT INCLUDE INCLUDEPICTURE INCLUDETEXT INDEX INFO KEYWORDS LASTSAVEDBY LINK LISTNUM MACROBUTTON MERGEBARCODE
    MERGEFIELD MERGEREC MERGESEQ NEXT NEXTIF NUMCHARS NUMPAGES NUMWORDS PAGE PRINT PRINTDATE PRIVATE QUOTE RD REVNUM
    SAVEDATE SECTION SECTIONPAGES SEQ SET SHAPE SKIPIF SUBJECT SYMBOL TA TC TEMPLATE TIME TITLE TOA TOC USERADDRESS
    USERINITIALS USERNAME XE
    """.split()
) | _TO_BOOKMARKS | _WITH_STYLES  # fmt: skip
_FORMATTING = re.compile(
    r"(?i:mergeformat|charformat|arabic|roman|alphabetic|ordinal|cardtext|upper|lower|caps|hex)\d?"
)
_PICTURE = re.compile(r"(?:[dDMyYhHmsSapAP0#xX,.:;/$€%'\s-]|\bde\b|\bdel\b|AM/PM|am/pm)*")
_ENUMERATED = re.compile(r"[\d\s,;:.-]*")


class Argument(NamedTuple):
    """A part of an instruction that is not fixed: `prose`, or the name of a `bookmark` or of a `style`."""

    start: int
    end: int
    kind: str = "prose"


def literals(formula: str) -> Iterator[Range]:
    """The strings in a formula or in a number format."""
    return (match.span(1) for match in _LITERAL.finditer(formula) if match[1])


def header_texts(code: str) -> Iterator[Range]:
    """The texts in a header or footer of a sheet, without codes such as `&L`, `&P` and `&"Arial,Bold"`."""
    end = 0
    for match in _HEADER_CODE.finditer(code):
        if code[end : match.start()].strip():
            yield end, match.start()
        end = match.end()
    if code[end:].strip():
        yield end, len(code)


def arguments(instruction: str) -> Iterator[Argument]:
    """The arguments of a field of Word. An unknown instruction is prose as a whole."""
    tokens = list(_TOKEN.finditer(instruction))
    keyword = (tokens[0][3] or "").upper() if tokens else ""
    if keyword.startswith("=") and _is_calculation(instruction):
        return
    if keyword not in _KEYWORDS:
        if instruction.strip():
            yield Argument(0, len(instruction))
        return
    switch = ""
    for number, token in enumerate(tokens[1:]):
        if token[2]:
            switch = token[2]
            continue
        span = token.span(1) if token[1] is not None else token.span(3)
        value = instruction[slice(*span)]
        kind = _kind(keyword, switch, number)
        if value and not _is_fixed(value, switch, kind):
            yield Argument(*span, kind)
        switch = ""


def _kind(keyword: str, switch: str, number: int) -> str:
    if (keyword in _TO_BOOKMARKS and number == 0) or (keyword, switch) in (("HYPERLINK", "\\l"), ("TOC", "\\b")):
        return "bookmark"
    if (keyword in _WITH_STYLES and number == 0) or (keyword, switch) == ("TOC", "\\t"):
        return "style"
    return "prose"


def _is_fixed(value: str, switch: str, kind: str) -> bool:
    """Whether an argument is a format, a number or an ordinary word."""
    if kind != "prose":
        return False
    if switch == "\\*":
        return bool(_FORMATTING.fullmatch(value))
    if switch in ("\\@", "\\#"):
        return bool(_PICTURE.fullmatch(value))
    return _ENUMERATED.fullmatch(value) is not None and not has_long_number(value)


def _is_calculation(instruction: str) -> bool:
    """Whether it is a formula with nothing but numbers, cells, functions and formats."""
    words = re.findall(r"[^\W\d_]{2,}", instruction)
    return '"' not in instruction.replace("\\#", "") and all(map(is_usual, words)) and len(instruction) < 200
