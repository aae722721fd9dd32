"""Metadata inside the compressed images of a PDF: comments, cameras, places and previews of JPEG and JPEG 2000."""

from __future__ import annotations

from typing import Any

import pikepdf

from nadie.files.containers.pdf.streams import filters_of

_START_OF_SCAN, _COMMENT, _APP0, _APP2, _APP14, _APP15 = 0xDA, 0xFE, 0xE0, 0xE2, 0xEE, 0xEF
_JFIF_LENGTH = 16  # without a preview
_BOXES_REMOVED = frozenset({b"xml ", b"uuid", b"uinf"})


def strip_metadata(stream: Any) -> bool:
    """Remove the metadata of an image; return whether there were any."""
    filters = filters_of(stream)
    strip = {"/DCTDecode": _jpeg, "/DCT": _jpeg, "/JPXDecode": _jpeg2000}.get(filters[-1] if filters else "")
    if strip is None or len(filters) > 1:
        return False
    raw = stream.read_raw_bytes()
    new = strip(raw)
    if new == raw:
        return False
    stream.write(new, filter=pikepdf.Name(filters[0]), decode_parms=stream.get("/DecodeParms", None))
    return True


def _jpeg(raw: bytes) -> bytes:
    parts, at = [raw[:2]], 2
    while at + 4 <= len(raw) and raw[at] == 0xFF:
        marker, length = raw[at + 1], int.from_bytes(raw[at + 2 : at + 4])
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        if marker == _START_OF_SCAN:
            break
        segment = raw[at : at + 2 + length]
        if not _is_metadata(marker, segment):
            parts.append(segment)
        at += 2 + length
    return b"".join((*parts, raw[at:]))


def _is_metadata(marker: int, segment: bytes) -> bool:
    """Whether a segment is not needed to show the image: colours are described by JFIF, ICC and Adobe's segments."""
    if marker == _APP0:
        return len(segment) != _JFIF_LENGTH + 2
    is_colour = marker == _APP14 or (marker == _APP2 and segment[4:15] == b"ICC_PROFILE")
    return marker == _COMMENT or (_APP0 < marker <= _APP15 and not is_colour)


def _jpeg2000(raw: bytes) -> bytes:
    if raw[4:8] != b"jP  ":
        return raw
    parts, at = [], 0
    while at + 8 <= len(raw):
        length = int.from_bytes(raw[at : at + 4]) or len(raw) - at
        if length == 1:
            length = int.from_bytes(raw[at + 8 : at + 16])
        if length < 8:
            break
        if raw[at + 4 : at + 8] not in _BOXES_REMOVED:
            parts.append(raw[at : at + length])
        at += length
    return b"".join((*parts, raw[at:]))
