"""The secret from which all keys are derived, and its sources: a file, the environment, a prompt.

It is never an argument of a command, where every user of the machine could read it.
"""

from __future__ import annotations

import codecs
import getpass
import hashlib
import hmac
import os
import secrets
import struct
import sys
from pathlib import Path
from typing import Self

from nadie.errors import ConfigError
from nadie.surrogates.draws import Draws

_SALT = b"nadie: keys of operators, version 1"
_MOST_BYTES = 64 * 1024
_LEAST_BYTES, _LEAST_DIFFERENT = 16, 6
_WEAK = f"it needs at least {_LEAST_BYTES} characters, {_LEAST_DIFFERENT} of them different"
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Secret:
    """A passphrase, or random bytes. It does not appear in its `repr` or in errors."""

    __slots__ = ("_material", "_shared")

    def __init__(self, material: bytes) -> None:
        if not material:
            raise ConfigError("the key is empty")
        self._material = material
        self._shared: Path | None = None

    def __repr__(self) -> str:
        return "Secret(...)"

    @classmethod
    def random(cls) -> Self:
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read a key file: its bytes as they are, without the line ends after them.

        A weak key is refused, and so is a byte-order mark: the same passphrase in the environment or at a prompt would
        be another key. A file that others can read is told in `concerns`.
        """
        try:
            with path.open("rb") as file:
                content = file.read(_MOST_BYTES + 1)
                is_shared = bool(os.fstat(file.fileno()).st_mode & 0o077)
        except OSError as error:
            raise ConfigError(f"the key file {path} cannot be read ({error.strerror})") from None
        if len(content) > _MOST_BYTES:
            raise ConfigError(f"the key file {path} is larger than {_MOST_BYTES} bytes: it is not a key")
        if content.startswith(_MARKS):
            raise ConfigError(f"the key file {path} has a byte-order mark: save it as UTF-8 without one")
        secret = cls(content.rstrip(b"\r\n"))
        if secret._is_weak():
            raise ConfigError(f"the key in {path} can be guessed: {_WEAK}")
        secret._shared = path if is_shared else None
        return secret

    @classmethod
    def from_environment(cls, variable: str) -> Self | None:
        value = os.environ.get(variable)
        return cls(os.fsencode(value)) if value else None

    @classmethod
    def from_prompt(cls, question: str, *, twice: bool = False) -> Self:
        if not sys.stdin.isatty():
            raise ConfigError("a key is needed, in a file or in the environment: there is no terminal for a prompt")
        first = getpass.getpass(f"{question}: ")
        if twice and getpass.getpass(f"{question} (again): ") != first:
            raise ConfigError("the two answers differ")
        return cls(os.fsencode(first))

    @classmethod
    def from_text(cls, text: str) -> Self:
        return cls(bytes.fromhex(text))

    def to_text(self) -> str:
        """The secret in hexadecimal digits, for a message to another process."""
        return self._material.hex()

    def concerns(self) -> list[str]:
        """The reasons why somebody else may get to know it, for a warning."""
        weak = [f"the key can be guessed: {_WEAK}"] if self._is_weak() else []
        shared = [f"others on this machine can read the key file {self._shared}: chmod 600"] if self._shared else []
        return weak + shared

    def _is_weak(self) -> bool:
        return len(self._material) < _LEAST_BYTES or len(set(self._material)) < _LEAST_DIFFERENT

    def stretch(self, salt: bytes, *, log2_n: int, r: int, p: int) -> bytes:
        """32 bytes by scrypt (RFC 7914), which makes each guess of a passphrase cost memory and time."""
        n = 1 << log2_n
        return hashlib.scrypt(self._material, salt=salt, n=n, r=r, p=p, maxmem=160 * n * r, dklen=32)

    def key(self) -> Key:
        """The key of the operators: always the same for the same secret, so that no table has to be stored."""
        return Key(self.stretch(_SALT, log2_n=15, r=8, p=1))


class Key(Draws):
    """Keyed choices: HMAC-SHA256 of the identity, so that the same identity always has the same result.

    Without the key, nobody can predict a result or infer the identity from it. `is_random` tells a key that was made
    for one run, which nobody can give again.
    """

    __slots__ = ("_bytes", "is_random")

    def __init__(self, material: bytes, *, is_random: bool = False) -> None:
        if len(material) != 32:
            raise ConfigError("a key must have 32 bytes")
        self._bytes = material
        self.is_random = is_random

    def __repr__(self) -> str:
        return "Key(...)"

    @classmethod
    def random(cls) -> Key:
        return cls(secrets.token_bytes(32), is_random=True)

    @classmethod
    def of(cls, secret: Secret | None) -> Key:
        """The key of a run: that of the secret, or a random one."""
        return secret.key() if secret else cls.random()

    def to_text(self) -> str:
        """The key in hexadecimal digits, for storage in a vault."""
        return self._bytes.hex()

    def digest(self, *identity: str) -> bytes:
        """HMAC-SHA256 of the parts, each preceded by its length, so that different identities have different inputs."""
        message = "".join([f"{len(part)}:{part}" for part in identity])
        return hmac.digest(self._bytes, message.encode("utf-8", "surrogatepass"), "sha256")

    def fingerprint(self, text: str) -> str:
        """A keyed fingerprint: with the key one can tell whether two texts are the same, without it nothing."""
        return self.digest("fingerprint", text).hex()

    @property
    def name(self) -> str:
        """Sixteen hexadecimal digits that identify the key."""
        return self.digest("name of the key").hex()[:16]

    def derive(self, purpose: str) -> bytes:
        """32 bytes for another algorithm, which reveal nothing about this key."""
        return self.digest("derive", purpose)

    def number(self, bound: int, *identity: str) -> int:
        return int.from_bytes(self.digest(*identity)[:16], "big") % bound

    def characters(self, alphabet: str, count: int, *identity: str) -> str:
        """`count` characters of an alphabet."""
        drawn = ""
        while len(drawn) < count:
            pairs = struct.unpack(">16H", self.digest(*identity, str(len(drawn))))
            drawn += "".join([alphabet[pair % len(alphabet)] for pair in pairs])
        return drawn[:count]
