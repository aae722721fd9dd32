"""Files with something wrong in them: bits flipped, bytes cut out, put in, doubled or moved, and ends missing."""

from __future__ import annotations

import random
from collections.abc import Iterator

_NASTY = (b"\0", b"\xff", b"<", b">", b'"', b"{", b"[", b"PK\x01\x02", b"&", b"\\", b"\r", b"]]>", b"<!--", b"\xf0\x9f")


def mutated(content: bytes, count: int, seed: int = 0) -> Iterator[bytes]:
    """`count` damaged copies, the same ones for the same seed."""
    chance = random.Random(seed)
    for _ in range(count):
        copy = bytearray(content)
        for _ in range(chance.choice((1, 1, 1, 2, 5, 20))):
            _damage(copy, chance)
        yield bytes(copy)


def _damage(copy: bytearray, chance: random.Random) -> None:
    at = chance.randrange(len(copy) + 1)
    length = chance.choice((1, 2, 8, 100))
    kind = chance.randrange(6)
    if kind == 0 and at < len(copy):
        copy[at] ^= 1 << chance.randrange(8)
    elif kind == 1:
        del copy[at : at + length]
    elif kind == 2:
        copy[at:at] = chance.choice(_NASTY) * length
    elif kind == 3:
        copy[at:at] = copy[at : at + length] * chance.choice((1, 3, 50))
    elif kind == 4:
        copy[at : at + length] = chance.randbytes(length)
    elif chance.random() < 0.3:
        del copy[at:]
