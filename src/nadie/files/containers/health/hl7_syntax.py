"""The syntax of HL7 v2: segments, fields, repetitions, components and subcomponents as ranges of the raw string."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from nadie.files.containers.raw import Range
from nadie.files.mapped import MappedText, TextBuilder

HEADERS = ("MSH", "FHS", "BHS")
_LINE = re.compile(r"[^\r\n\x0b\x1c]+")  # MLLP blocks are enclosed by VT and FS
_NAME = re.compile(r"[A-Z][A-Z0-9]{2}")
_NEW_LINES = re.compile(r"\.(?:br|sp\+?\d*)")
_FORMAT = re.compile(r"[HN]|\.(?:in|ti|fi|nf|ce|sk)[+-]?\d*")


@dataclass(frozen=True)
class Delimiters:
    """The characters that a message header declares."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"

    def escaped(self, text: str) -> str:
        """The text with the escapes of a field."""
        marks = {self.field: "F", self.component: "S", self.subcomponent: "T", self.repetition: "R", self.escape: "E"}
        spelled = {mark: f"{self.escape}{letter}{self.escape}" for mark, letter in marks.items() if mark}
        spelled |= {"\n": f"{self.escape}.br{self.escape}", "\r": "", "\x0b": " ", "\x1c": " "}
        return "".join(spelled.get(character, character) for character in text)


class Hl7Segment(NamedTuple):
    """A line. `fields` are ranges, numbered from 1; a line that is not a segment has no name and one range."""

    name: str
    fields: list[Range]
    delimiters: Delimiters


def segments(raw: str) -> Iterator[Hl7Segment]:
    """The segments of a file, each with the delimiters of the preceding header."""
    delimiters = Delimiters()
    for line in _LINE.finditer(raw):
        name = line[0][:3]
        if name in HEADERS and len(line[0]) > 4:
            delimiters = _declared(line[0])
            fields = split(raw, (line.start() + 4, line.end()), delimiters.field)
            yield Hl7Segment(name, [(line.start() + 3, line.start() + 4), *fields], delimiters)
        elif _NAME.fullmatch(name) and line[0][3:4] in (delimiters.field, ""):
            yield Hl7Segment(name, split(raw, (line.start() + 4, line.end()), delimiters.field), delimiters)
        else:
            yield Hl7Segment("", [line.span()], delimiters)


def split(raw: str, bounds: Range, separator: str) -> list[Range]:
    """The ranges between the separators of a range."""
    start, end = bounds
    if not separator or start >= end:
        return [bounds] if start < end else []
    found = []
    while (at := raw.find(separator, start, end)) >= 0:
        found.append((start, at))
        start = at + 1
    return [*found, (start, end)]


def text_of(raw: str, bounds: Range, delimiters: Delimiters, encoding: str) -> MappedText[Range]:
    """The text of a range without its escapes, mapped to the raw string."""
    builder: TextBuilder[Range] = TextBuilder()
    start, end = bounds
    mark = delimiters.escape
    while start < end:
        opening = raw.find(mark, start, end) if mark else -1
        closing = raw.find(mark, opening + 1, end) if opening >= 0 else -1
        if closing < 0:
            builder.add(raw[start:end], (start, end))
            break
        builder.add(raw[start:opening], (start, opening))
        meaning = _meaning(raw[opening + 1 : closing], delimiters, encoding)
        if meaning is None:  # not an escape
            builder.add(raw[opening:closing], (opening, closing))
            start = closing
        else:
            builder.add(meaning, (opening, closing + 1))
            start = closing + 1
    return builder.build()


def _meaning(code: str, delimiters: Delimiters, encoding: str) -> str | None:
    known = {
        "F": delimiters.field, "S": delimiters.component, "T": delimiters.subcomponent, "R": delimiters.repetition,
        "E": delimiters.escape,
    }  # fmt: skip
    if code in known:
        return known[code]
    if _NEW_LINES.fullmatch(code):
        return "\n"
    if _FORMAT.fullmatch(code):
        return ""
    if re.fullmatch(r"X(?:[0-9A-Fa-f]{2})+", code):
        return bytes.fromhex(code[1:]).decode(encoding, "replace")
    return None


def _declared(line: str) -> Delimiters:
    """Parse the first characters of a header, `MSH|^~\\&|`; missing delimiters are not used."""
    field = line[3]
    others = line[4:].split(field)[0][:4]
    return Delimiters(field, *(others[n : n + 1] for n in range(4)))
