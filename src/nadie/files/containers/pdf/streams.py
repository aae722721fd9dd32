"""Reading of PDF streams within limits: a stream that unpacks to more than the limit is refused unread."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterator
from typing import Any

import pikepdf

from nadie.errors import FormatError
from nadie.files.containers.pdf.object_types import is_stream, listed

MAX_STREAM = 64 * 1024 * 1024
"""The maximum unpacked size of a stream."""
MAX_INSTRUCTIONS = 2_000_000
"""The maximum number of operators of a stream."""
_PACKING = frozenset({"/FlateDecode", "/Fl", "/LZWDecode", "/LZW"})
_CHEAP = frozenset({"/ASCII85Decode", "/A85", "/ASCIIHexDecode", "/AHx", "/RunLengthDecode", "/RL", "/Crypt"})
_UNMEASURED = MAX_STREAM // 1032  # no stream of that length can unpack to more than the limit
_CHUNK = 1 << 20


def check(stream: Any, where: str) -> None:
    """Raise an error if the stream has an unsupported filter, or unpacks to too much."""
    filters = filters_of(stream)
    packed = [name for name in filters if name in _PACKING]
    if len(packed) > 1 or any(name not in _PACKING | _CHEAP for name in filters):
        raise FormatError("has a text stream with an unsupported filter", where=where)
    if not packed:
        return
    raw = stream.read_raw_bytes()
    if len(raw) <= _UNMEASURED:
        return
    if filters[0] in ("/ASCII85Decode", "/A85") and filters[1:] == packed:  # as ReportLab writes
        raw = _from_ascii85(raw)
    elif filters != packed:
        raw = b""
    if not raw or packed[0] not in ("/FlateDecode", "/Fl") or _unpacked(raw) > MAX_STREAM:
        raise FormatError(f"has a stream that unpacks to more than {MAX_STREAM} bytes", where=where)


def filters_of(stream: Any) -> list[str]:
    return [str(each) for each in listed(stream.get("/Filter", None))]


def content_of(stream: Any, where: str) -> bytes:
    """The unpacked content of the stream."""
    check(stream, where)
    return bytes(stream.read_bytes())


def instructions(content: Any, where: str) -> Iterator[tuple[list[Any], str]]:
    """The operands and operators of a page, a form or a CMap; an inline image is the operator `BI`."""
    for number, instruction in enumerate(parsed(content, where)):
        if number > MAX_INSTRUCTIONS:
            raise FormatError(f"has a stream with more than {MAX_INSTRUCTIONS} operators", where=where)
        operands, operator = instruction
        name = str(operator)
        yield ([] if name == "INLINE IMAGE" else list(operands)), ("BI" if name == "INLINE IMAGE" else name)


def parsed(content: Any, where: str) -> list[Any]:
    """The instructions of a page or a stream, parsed by pikepdf."""
    for stream in _streams(content):
        check(stream, where)
    return list(pikepdf.parse_content_stream(content))


def _streams(content: Any) -> list[Any]:
    return [content] if is_stream(content) else listed(content.get("/Contents", None))


def _from_ascii85(raw: bytes) -> bytes:
    try:
        return base64.a85decode(raw.strip().removesuffix(b"~>"))
    except ValueError:
        return b""


def _unpacked(raw: bytes) -> int:
    """The unpacked size of a stream, counted up to the limit."""
    decompressor, total, rest = zlib.decompressobj(), 0, raw
    try:
        while rest and total <= MAX_STREAM:
            total += len(decompressor.decompress(rest, _CHUNK))
            rest = decompressor.unconsumed_tail
    except zlib.error:
        return total
    return total
