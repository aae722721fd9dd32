"""Files with something wrong in them: bits flipped, bytes cut out, put in, doubled or nested, and ends missing."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator

_NASTY = (
    b"\0",
    b"\xff",
    b"<",
    b">",
    b'"',
    b"{",
    b"[",
    b"PK\x01\x02",
    b"&",
    b"\\",
    b"\r",
    b"]]>",
    b"<!--",
    b"\xf0\x9f",
    b"<<",
    b"endobj",
    b" 0 R",
    b"(",
)


_DEEP = 3000
"""How often a bracket is repeated to nest what is in it deeper than any file does."""


def mutated(content: bytes, count: int, seed: int = 0) -> Iterator[bytes]:
    """`count` damaged copies, the same ones for the same seed. Of packages, every second is damaged inside a part."""
    chance = random.Random(seed)
    parts = _parts(content) if content.startswith(b"PK") else {}
    for number in range(count):
        if parts and number % 2:
            name = chance.choice(list(parts))
            yield _packed({**parts, name: _damaged(parts[name], chance)})
        else:
            yield _damaged(content, chance)


def _damaged(content: bytes, chance: random.Random) -> bytes:
    copy = bytearray(content)
    for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
        _damage(copy, chance)
    return bytes(copy)


def _parts(content: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _packed(parts: dict[str, bytes]) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    return file.getvalue()


def _damage(copy: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(copy) + 1)
    length = chance.choice((1, 2, 8, 100))
    kind = chance.randrange(6)
    if kind == 0 and at < len(copy):
        copy[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del copy[at : at + length]
    elif kind == 2:
        copy[at:at] = chance.choice(_NASTY) * chance.choice((length, length, length, _DEEP))
    elif kind == 3:
        copy[at:at] = copy[at : at + length] * chance.choice((1, 3, 50))
    elif kind == 4:
        copy[at : at + length] = chance.randbytes(length)
    elif chance.random() < 0.3:
        del copy[at:]
