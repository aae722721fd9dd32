"""Keyed permutations of the numbers below a size: different numbers stay different, and nobody without the key can tell
which became which.

Large domains use FF1 (NIST SP 800-38G, 2016) over AES, small ones the swap-or-not shuffle (Hoang, Morris and Rogaway
2012), since FF1 is not for fewer than a million numbers.
"""

from __future__ import annotations

import hashlib
import hmac
import struct
from collections.abc import Callable

_SMALLEST_FF1 = 1_000_000
_ROUNDS = 10
_SWAPS = 320
_BLOCK = 16


def permuted(number: int, size: int, key: bytes, tweak: bytes) -> int:
    """The number that replaces `number` among those below `size`; each tweak is another permutation.

    FF1 permutes the strings of so many bits as the size needs. If the result is not below the size it is permuted once
    more, until it is (cycle walking).
    """
    if size < _SMALLEST_FF1:
        return _swap_or_not(number, size, key, tweak)
    permute = _ff1(2, (size - 1).bit_length(), key, tweak)
    number = permute(number)
    while number >= size:
        number = permute(number)
    return number


def ff1(number: int, radix: int, length: int, key: bytes, tweak: bytes) -> int:
    """FF1.Encrypt of a string of `length` numerals, given and returned as the number that it writes (algorithm 7)."""
    return _ff1(radix, length, key, tweak)(number)


def _ff1(radix: int, length: int, key: bytes, tweak: bytes) -> Callable[[int], int]:
    from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes  # on demand: loading it takes time

    encrypt = Cipher(algorithms.AES(key), modes.ECB()).encryptor().update  # noqa: S305
    left = length // 2
    right = length - left
    width = ((radix**right - 1).bit_length() + 7) // 8
    taken = 4 * ((width + 3) // 4) + 4
    start = (
        struct.pack(">3B", 1, 2, 1)
        + radix.to_bytes(3, "big")
        + struct.pack(">BBII", 10, left % 256, length, len(tweak))
    )
    padded = start + tweak + bytes(-(len(tweak) + width + 1) % _BLOCK)
    same = len(padded) // _BLOCK * _BLOCK  # bytes that begin the content of every round
    chained = _chained(encrypt, 0, padded[:same])
    sizes = (radix**left, radix**right)

    def permuted(number: int) -> int:
        a, b = divmod(number, sizes[1])
        for turn in range(_ROUNDS):
            block = _chained(encrypt, chained, padded[same:] + bytes([turn]) + b.to_bytes(width, "big"))
            stream = block
            for count in range(1, (taken + _BLOCK - 1) // _BLOCK):
                stream = stream << 8 * _BLOCK | int.from_bytes(encrypt((block ^ count).to_bytes(_BLOCK, "big")), "big")
            stream >>= 8 * (-taken % _BLOCK)
            a, b = b, (a + stream) % sizes[turn % 2]
        return int(a * sizes[1] + b)

    return permuted


def _chained(encrypt: Callable[[bytes], bytes], chained: int, content: bytes) -> int:
    """The last block of the content encrypted in CBC mode, after blocks of which `chained` is the last."""
    for at in range(0, len(content), _BLOCK):
        block = chained ^ int.from_bytes(content[at : at + _BLOCK], "big")
        chained = int.from_bytes(encrypt(block.to_bytes(_BLOCK, "big")), "big")
    return chained


def _swap_or_not(number: int, size: int, key: bytes, tweak: bytes) -> int:
    if size < 2:
        return number
    own = hmac.digest(key, struct.pack(">Q", size) + tweak, "sha256")
    offsets = struct.unpack(f">{_SWAPS}Q", hashlib.shake_256(own).digest(8 * _SWAPS))
    keyed = hashlib.blake2b(digest_size=1, key=own)
    begin, pack = keyed.copy, struct.Struct(">HQ").pack
    for turn, offset in enumerate(offsets):
        partner = (offset - number) % size
        hashed = begin()
        hashed.update(pack(turn, partner if partner > number else number))
        if hashed.digest()[0] & 1:
            number = partner
    return number
