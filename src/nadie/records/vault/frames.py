"""The file of a vault: a header, then frames that are encrypted and bound to their position.

    header   NADIEVLT, version, scrypt's cost (log2 n, r, p), salt, and a tag that verifies the key
    frame    kind (E an entry, N a note about the run, S the seal), length, nonce, and the AES-256-GCM ciphertext

The header and the number of the frame are part of each frame's authenticated data, so a frame that was changed, moved,
removed or copied from another vault cannot be decrypted. The last frame is the seal, which has the number of entries: a
file without it was truncated, or its writer was interrupted.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, NamedTuple

from nadie.anonymize.secret import Secret
from nadie.errors import VaultError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

MAGIC = b"NADIEVLT\x01"
ENTRY = b"E"
SEAL = b"S"
NOTE = b"N"
_COST = (16, 8, 1)
_SALT = 16
_TAG = 16
_NONCE = 12
HEADER_BYTES = len(MAGIC) + 3 + _SALT + _TAG
_FRAME = struct.Struct(">cI")
_MOST_BYTES = 256 * 1024 * 1024


class Frame(NamedTuple):
    """The position of a frame, and its declared kind."""

    at: int
    kind: bytes
    end: int


@dataclass(frozen=True)
class Cipher:
    """The key of one vault file, for encrypting and decrypting frames."""

    header: bytes
    _aes: AESGCM

    @classmethod
    def create(cls, secret: Secret) -> Cipher:
        """Start a new vault with a new salt, so that even the same passphrase gives another key."""
        start = MAGIC + bytes(_COST) + secrets.token_bytes(_SALT)
        aes = _aes(secret, start)
        return cls(start + aes.encrypt(bytes(_NONCE), b"", start), aes)

    @classmethod
    def open(cls, header: bytes, secret: Secret, path: Path) -> Cipher:
        """The cipher of an existing vault, if the key is correct."""
        if len(header) < HEADER_BYTES or not header.startswith(MAGIC):
            raise VaultError(f"{path} is not a vault, or its beginning is damaged")
        start = header[: HEADER_BYTES - _TAG]
        log2_n, r, p = start[len(MAGIC) : len(MAGIC) + 3]
        if not (10 <= log2_n <= 18 and 1 <= r <= 8 and 1 <= p <= 2):
            raise VaultError(f"{path} is not a vault, or its beginning is damaged")
        aes = _aes(secret, start)
        if _decrypted(aes, bytes(_NONCE), header[-_TAG:], start) is None:
            raise VaultError(f"{path} cannot be decrypted: wrong key, or the file was changed")
        return cls(header, aes)

    def close(self, kind: bytes, number: int, content: bytes) -> bytes:
        """Encrypt a frame."""
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._aes.encrypt(nonce, content, self._bound_to(kind, number))
        return _FRAME.pack(kind, len(sealed)) + nonce + sealed

    def content(self, file: IO[bytes], frame: Frame, number: int) -> bytes | None:
        """The content of a frame, or None if it cannot be decrypted at that position."""
        file.seek(frame.at + _FRAME.size)
        nonce = file.read(_NONCE)
        sealed = file.read(frame.end - frame.at - _FRAME.size - _NONCE)
        return _decrypted(self._aes, nonce, sealed, self._bound_to(frame.kind, number))

    def _bound_to(self, kind: bytes, number: int) -> bytes:
        return hashlib.sha256(self.header).digest() + kind + struct.pack(">Q", number)


def _decrypted(aes: AESGCM, nonce: bytes, sealed: bytes, bound_to: bytes) -> bytes | None:
    from cryptography.exceptions import InvalidTag

    try:
        return aes.decrypt(nonce, sealed, bound_to)
    except InvalidTag:
        return None


def _aes(secret: Secret, start: bytes) -> AESGCM:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

    log2_n, r, p = start[len(MAGIC) : len(MAGIC) + 3]
    return AESGCM(secret.stretch(start[-_SALT:], log2_n=log2_n, r=r, p=p))


def frames(file: IO[bytes]) -> Iterator[Frame]:
    """The frames of a file, by their lengths only. An incomplete last frame has an empty kind."""
    size = file.seek(0, os.SEEK_END)
    at = HEADER_BYTES
    while at < size:
        file.seek(at)
        start = file.read(_FRAME.size)
        kind, length = _FRAME.unpack(start) if len(start) == _FRAME.size else (b"", 0)
        end = at + _FRAME.size + _NONCE + length
        if kind not in (ENTRY, NOTE, SEAL) or length > _MOST_BYTES or end > size:
            yield Frame(at, b"", size)
            return
        yield Frame(at, kind, end)
        at = end
