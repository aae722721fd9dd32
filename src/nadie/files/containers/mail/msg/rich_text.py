"""The RTF of a formatted body in Outlook: decompressed, and written back uncompressed, as the format allows."""

from __future__ import annotations

import struct

from nadie.errors import FormatError

_PACKED, _PLAIN = b"LZFu", b"MELA"
_MAX_BYTES = 64 * 1024 * 1024
_DICTIONARY = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans "
    rb"SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0" + b"\r\n" + rb"\par "
    rb"\pard\plain\f0\fs20\b\i\u\tab\tx"
)


def unpacked(content: bytes, where: str) -> bytes:
    """The RTF, by the algorithm of MS-OXRTFCP."""
    if len(content) < 16:
        raise FormatError("has a damaged body", where=where)
    _, size, kind, _ = struct.unpack_from("<II4sI", content)
    if size > _MAX_BYTES:
        raise FormatError("has a body that is too large", where=where)
    if kind == _PLAIN:
        return content[16 : 16 + size]
    if kind != _PACKED:
        raise FormatError("has a body in an unknown format", where=where)
    window = bytearray(_DICTIONARY.ljust(4096, b" "))
    at, out, write = 16, bytearray(), len(_DICTIONARY)
    while at < len(content) and len(out) <= size:
        control = content[at]
        at += 1
        for bit in range(8):
            if control >> bit & 1:
                if at + 2 > len(content):
                    return bytes(out[:size])
                reference = content[at] << 8 | content[at + 1]
                at += 2
                offset, length = reference >> 4, (reference & 15) + 2
                if offset == write:
                    return bytes(out[:size])
                copied = [(offset + n) % 4096 for n in range(length)]
            else:
                if at >= len(content):
                    return bytes(out[:size])
                copied, at = [-content[at] - 1], at + 1
            for place in copied:
                byte = window[place] if place >= 0 else -place - 1
                out.append(byte)
                window[write] = byte
                write = (write + 1) % 4096
    return bytes(out[:size])


def packed(rtf: bytes) -> bytes:
    return struct.pack("<II4sI", len(rtf) + 12, len(rtf), _PLAIN, 0) + rtf
