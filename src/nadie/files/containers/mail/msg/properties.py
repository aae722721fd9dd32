"""The properties of an Outlook message, a recipient or an attachment: which are searched, kept, and left out.

Outlook writes hundreds of properties, many of them with names, addresses, servers and times in binary form. Only known
properties are written to the copy.
"""

from __future__ import annotations

import datetime
import re
import struct
from dataclasses import dataclass, field
from typing import NamedTuple

from nadie.files.containers.code_pages import encoding_of_page
from nadie.files.containers.mail.msg.compound import Storage
from nadie.files.containers.names import is_code
from nadie.labels import Label

STREAM = "__properties_version1.0"
INTEGER, BOOLEAN, OBJECT, ANSI, UNICODE, TIME, BINARY = 0x03, 0x0B, 0x0D, 0x1E, 0x1F, 0x40, 0x102
BODY, HTML, RTF, DATA, CODE_PAGE, INTERNET_PAGE, CLASS = 0x1000, 0x1013, 0x1009, 0x3701, 0x3FFD, 0x3FDE, 0x001A
_STAFF, _MAIL = Label.NOMBRE_PERSONAL_SANITARIO, Label.CORREO_ELECTRONICO
LABELS: dict[int, Label | None] = {
    **dict.fromkeys((0x0037, 0x003D, 0x0070, 0x0E1D)),  # the subject and its parts
    **dict.fromkeys((0x0C1A, 0x0042, 0x3001, 0x0E04, 0x0E03, 0x0E02, 0x3A20), _STAFF),
    **dict.fromkeys((0x0C1F, 0x0065, 0x3003, 0x39FE, 0x5D01, 0x5D02), _MAIL),
}
"""Texts that are searched; with a label, they are fields."""
NAMES = frozenset({0x3001, 0x3704, 0x3707})
"""Names of attached files."""
TIMES = frozenset({0x0039, 0x0E06, 0x3007, 0x3008})
_NUMBERS = frozenset(
    {0x0017, 0x0026, 0x0036, 0x0E07, 0x0C15, 0x0FFE, 0x3705, 0x370B, 0x3714, 0x7FFE, 0x340D, 0x3FDE, 0x0E1F, 0x0E1B}
)
_USUAL = {
    CLASS: r"IPM(?:\.\w+)*",
    0x3002: r"SMTP|EX",
    0x0C1E: r"SMTP|EX",
    0x0064: r"SMTP|EX",
    0x370E: r"[a-z]+/[\w.+-]+",
    0x3703: r"\.\w{1,8}",
}
"""Texts that are kept if they have a usual value, and left out otherwise."""
_UNICODE_OK = 0x40000
_FIXED = {INTEGER: "<i4x", BOOLEAN: "<H6x", TIME: "<Q"}
_FIRST = datetime.datetime(1601, 1, 1)
_HEADERS = {"message": 32, "embedded": 24}


class Property(NamedTuple):
    """A value with its type and its flags."""

    kind: int
    flags: int
    value: str | int | bytes


@dataclass
class Properties:
    """The known properties of one storage by id, and the number of the others."""

    known: dict[int, Property] = field(default_factory=dict)
    left_out: int = 0

    def text(self, number: int) -> str:
        found = self.known.get(number)
        return found.value if found and isinstance(found.value, str) else ""

    def number(self, number: int) -> int:
        found = self.known.get(number)
        return found.value if found and isinstance(found.value, int) else 0

    def put(self, number: int, value: str | int | bytes) -> None:
        self.known[number] = self.known[number]._replace(value=value)


def read(storage: Storage, level: str) -> Properties:
    """The known properties of a storage: texts as strings, times and numbers as integers."""
    content = storage.streams.get(STREAM, b"")[_HEADERS.get(level, 8) :]
    raw = [struct.unpack_from("<HHI8s", content, at) for at in range(0, len(content) - 15, 16)]
    pages = [struct.unpack("<i", value[:4])[0] for kind, number, _, value in raw if number == CODE_PAGE]
    encoding = (encoding_of_page(pages[0]) if pages else None) or "cp1252"
    found = Properties()
    for kind, number, flags, value in raw:
        made = _value(storage, kind, number, value, encoding)
        if made is None or not _is_known(level, number, kind, made):
            found.left_out += 1
        else:
            found.known[number] = Property(UNICODE if kind == ANSI else kind, flags, made)
    return found


def write(properties: Properties, storage: Storage, level: str, counts: tuple[int, int] = (0, 0)) -> None:
    """Write the properties to a storage; `counts` are the numbers of recipients and attachments."""
    recipients, attached = counts
    entries = []
    for number, (kind, flags, value) in sorted(properties.known.items()):
        if isinstance(value, int):
            value |= _UNICODE_OK if number == 0x340D else 0
            entries.append(struct.pack("<HHI", kind, number, flags) + struct.pack(_FIXED[kind], value))
            continue
        content = value.encode("utf-16-le", "replace") if isinstance(value, str) else value
        size = len(content) + (2 if kind == UNICODE else 0)
        if kind != OBJECT:
            storage.streams[f"__substg1.0_{number:04X}{kind:04X}"] = content
        entries.append(struct.pack("<HHIII", kind, number, flags, 0xFFFFFFFF if kind == OBJECT else size, 0))
    head = struct.pack("<8xIIII8x", recipients, attached, recipients, attached)[: _HEADERS.get(level, 8)]
    storage.streams[STREAM] = head + b"".join(entries)


def date_text(ticks: int) -> str:
    """A Windows time, in tenths of microseconds, as a date and a time."""
    try:
        return (_FIRST + datetime.timedelta(microseconds=ticks // 10)).isoformat(" ", "seconds")
    except OverflowError:
        return ""


def ticks_of(text: str) -> int | None:
    try:
        return (datetime.datetime.fromisoformat(text.strip()) - _FIRST) // datetime.timedelta(microseconds=1) * 10
    except (ValueError, TypeError):
        return None


def _value(storage: Storage, kind: int, number: int, value: bytes, encoding: str) -> str | int | bytes | None:
    if kind in _FIXED:
        return int(struct.unpack(_FIXED[kind], value)[0])
    content = storage.streams.get(f"__substg1.0_{number:04X}{kind:04X}")
    if kind == OBJECT:
        return b""
    if content is None:
        return None
    if kind == UNICODE:
        return content.decode("utf-16-le").rstrip("\0")
    if kind == ANSI:
        return content.decode(encoding, "replace").rstrip("\0")
    return content if kind == BINARY else None


def _is_known(level: str, number: int, kind: int, value: str | int | bytes) -> bool:
    if isinstance(value, int):
        return number in (TIMES if kind == TIME else _NUMBERS)
    if isinstance(value, bytes):
        return number == DATA or (kind == BINARY and number in (HTML, RTF))
    if number in _USUAL:
        return re.fullmatch(_USUAL[number], value, re.IGNORECASE) is not None and is_code(value)
    return number in (BODY, HTML) or number in (NAMES if level == "attachment" else LABELS)
