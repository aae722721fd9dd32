"""How the service and a worker talk: a length of four bytes, then that many bytes of JSON."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

HEADER_BYTES = 4


def pack(message: Any) -> bytes:
    body = json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    return len(body).to_bytes(HEADER_BYTES, "big") + body


def unpack_length(header: bytes) -> int:
    return int.from_bytes(header, "big")


def read_message(stream: BinaryIO) -> Any | None:
    """The next message of a blocking stream, or None at its end."""
    header = stream.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return None
    return json.loads(stream.read(unpack_length(header)))


def write_message(stream: BinaryIO, message: Any) -> None:
    stream.write(pack(message))
    stream.flush()
