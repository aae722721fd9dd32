"""Messages as Outlook saves them, made by the specification, with an identifier in every place that can hold one."""

from __future__ import annotations

import struct

from nadie.files.containers.mail.msg import rich_text
from nadie.files.containers.mail.msg.compound import Storage, written

from . import word_files

CLSID = bytes.fromhex("0b0d020000000000c000000000000046")
_SENT = 132330422000000000  # 4 May 2020
HTML = "<html><body><p>Vista <b>An</b>a Mu&ntilde;oz</p></body></html>"
RTF = rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\*\htmltag <p>}Vista {\b An}a Mu\'f1oz\par}"


def storage(size: int, values: dict[int, object], *, ansi: bool = False) -> Storage:
    """A storage with properties: texts, numbers, bytes, and times as tuples."""
    made, entries = Storage(), b""
    for number, value in values.items():
        if isinstance(value, tuple):
            entries += struct.pack("<HHIQ", 0x40, number, 6, value[0])
        elif isinstance(value, int):
            entries += struct.pack("<HHIii", 0x03, number, 6, value, 0)
        else:
            kind = 0x102 if isinstance(value, bytes) else 0x1E if ansi else 0x1F
            content = value if isinstance(value, bytes) else str(value).encode("cp1252" if ansi else "utf-16-le")
            made.streams[f"__substg1.0_{number:04X}{kind:04X}"] = content
            entries += struct.pack("<HHIII", kind, number, 6, len(content) + (kind == 0x1F) * 2, 0)
    made.streams["__properties_version1.0"] = bytes(size) + entries
    return made


def message(*, level: int = 32, ansi: bool = False, more: dict[int, object] | None = None) -> Storage:
    made = storage(
        level,
        {
            0x001A: "IPM.Note", 0x0037: "Informe de Ana Muñoz", 0x0070: "Informe de Ana Muñoz",
            0x0C1A: "Luis Gil", 0x0C1F: "luisgil@x.es", 0x0042: "Luis Gil", 0x0E04: "Ana Muñoz",
            0x007D: "Received: from pc-luisgil.x.es", 0x0E1D: "Informe de Ana Muñoz", 0x0039: (_SENT,),
            0x300B: b"SMTP:LUISGIL@X.ES\0", 0x1000: "Vista Ana Muñoz hoy, NHC 7654321.\r\n", 0x340D: 0x1234,
            0x8001: "Ana Muñoz", 0x0E07: 1, **(more or {}),
        },
        ansi=ansi,
    )  # fmt: skip
    made.storages["__recip_version1.0_#00000000"] = storage(
        8, {0x3001: "Ana Muñoz", 0x3003: "ana@x.es", 0x39FE: "ana@x.es", 0x0C15: 1, 0x3A00: "ana", 0x0FF6: b"ana@x.es"}
    )
    return made


def attached(number: int, name: str, content: bytes) -> tuple[str, Storage]:
    values = {0x3701: content, 0x3704: name, 0x3707: name, 0x3705: 1, 0x3709: b"foto de Luis Gil"}
    return f"__attach_version1.0_#{number:08X}", storage(8, values)


def planted() -> bytes:
    made = message(more={0x1013: HTML.encode(), 0x3FDE: 65001, 0x1009: rich_text.packed(RTF)})
    made.storages |= dict(
        (
            attached(0, "Ana Muñoz.docx", word_files.planted()),
            attached(1, "tabla.csv", "nhc;nota\r\n7654321;Vista Ana Muñoz\r\n".encode()),
            attached(2, "otro.bin", b"\0\1\2"),
        )
    )
    outer = storage(8, {0x3705: 5, 0x3001: "Ana Muñoz"})
    outer.streams["__properties_version1.0"] += struct.pack("<HHIII", 0x0D, 0x3701, 6, 0xFFFFFFFF, 4)
    outer.storages["__substg1.0_3701000D"] = message(level=24, ansi=True)
    made.storages["__attach_version1.0_#00000003"] = outer
    named = {f"__substg1.0_{number:04X}0102": b"" for number in (2, 3, 4)}
    made.storages["__nameid_version1.0"] = Storage({**named, "__substg1.0_10010102": "Ana Muñoz".encode("utf-16-le")})
    return written(made, CLSID)
