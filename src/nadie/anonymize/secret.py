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

from nadie.anonymize.passphrases import is_random, weakness
from nadie.anonymize.permutations import permuted
from nadie.errors import ConfigError
from nadie.surrogates.draws import Draws

OLD_SALT = b"nadie: keys of operators, version 1"
"""The salt of random keys, which need none of their own, and of all keys before there were salts."""
_MOST_BYTES = 64 * 1024
_MARKS = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Secret:
    """A passphrase, or random bytes. It does not appear in its `repr` or in errors.

    `salt` is that of the installation, by default `$NADIE_SALT`. A passphrase needs one before keys are derived from
    it: with one salt for the whole world, one table of stretched passphrases would serve against every user.
    """

    __slots__ = ("_material", "_salt", "_shared", "_source")

    def __init__(self, material: bytes, salt: bytes = b"") -> None:
        if not material:
            raise ConfigError("the key is empty")
        self._material = material
        self._salt = salt or os.fsencode(os.environ.get("NADIE_SALT", ""))
        self._source = "the key"
        self._shared: Path | None = None

    def __repr__(self) -> str:
        return "Secret(...)"

    @classmethod
    def random(cls) -> Self:
        return cls(secrets.token_bytes(32))

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """Read a key file: its bytes as they are, without the line ends after them.

        Its salt may be in a file beside it, whose name is that of the key file with `.salt` at its end. A byte-order
        mark is refused: the same passphrase in the environment or at a prompt would be another key. A file
        that others can read is told in `concerns`.
        """
        content, mode = _read(path)
        beside = salt_file(path)
        secret = cls(content, _read(beside)[0] if beside.exists() else b"")
        secret._source = f"the key in {path}"
        secret._shared = path if mode & 0o077 else None
        return secret

    @classmethod
    def from_environment(cls, variable: str) -> Self | None:
        value = os.environ.get(variable)
        if not value:
            return None
        secret = cls(os.fsencode(value))
        secret._source = f"the key in ${variable}"
        return secret

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
        material, _, salt = text.partition(".")
        return cls(bytes.fromhex(material), bytes.fromhex(salt))

    def to_text(self) -> str:
        """The secret and its salt in hexadecimal digits, for a message to another process."""
        return f"{self._material.hex()}.{self._salt.hex()}" if self._salt else self._material.hex()

    def concerns(self) -> list[str]:
        """The reasons why somebody else may get to know it, for a warning."""
        return [f"others on this machine can read the key file {self._shared}: chmod 600"] if self._shared else []

    def check(self) -> None:
        """Raise an error if it can be guessed: nothing new may be protected with it."""
        if weak := weakness(self._material):
            raise ConfigError(f"{self._source} can be guessed: {weak}. `nadie key new FILE` makes a random one")

    def stretch(self, salt: bytes, *, log2_n: int, r: int, p: int) -> bytes:
        """32 bytes by scrypt (RFC 7914), which makes each guess of a passphrase cost memory and time."""
        n = 1 << log2_n
        return hashlib.scrypt(self._material, salt=salt, n=n, r=r, p=p, maxmem=160 * n * r, dklen=32)

    def key(self, release: str = "", *, for_old_values: bool = False) -> Key:
        """The key of the operators: always the same for the same secret, so that no table has to be stored.

        With the name of a release, the key of that release; see `Key.of_release`. A weak passphrase and one without a
        salt are refused, unless the key is only to decrypt old values.
        """
        if not for_old_values:
            self.check()
            if not self._salt and not is_random(self._material):
                raise ConfigError(
                    f"{self._source} is a passphrase and has no salt: `nadie key salt FILE` makes one beside the key "
                    f"file, or set $NADIE_SALT; `nadie key new FILE` makes a random key, which needs none"
                )
        return Key(self.stretch(self._salt or OLD_SALT, log2_n=15, r=8, p=1)).of_release(release)


def given_key(key: Secret | os.PathLike[str] | None) -> Secret | Path | None:
    """A key as callers give it: a secret or a key file. A string is refused: keys do not belong into programs."""
    if isinstance(key, os.PathLike):
        return Path(key)
    if key is None or isinstance(key, Secret):
        return key
    raise ConfigError("the key must be a nadie.Secret or the Path of a key file, not a string")


def salt_file(key_file: Path) -> Path:
    """The file with the salt of a key file."""
    return key_file.with_name(f"{key_file.name}.salt")


def _read(path: Path) -> tuple[bytes, int]:
    """The content of a key file or a salt, and the mode of the file."""
    try:
        with path.open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
            mode = os.fstat(file.fileno()).st_mode
    except OSError as error:
        raise ConfigError(f"the key file {path} cannot be read ({error.strerror})") from None
    if len(content) > _MOST_BYTES:
        raise ConfigError(f"the key file {path} is larger than {_MOST_BYTES} bytes: it is not a key")
    if content.startswith(_MARKS):
        raise ConfigError(f"the key file {path} has a byte-order mark: save it as UTF-8 without one")
    return content.rstrip(b"\r\n"), mode


class Key(Draws):
    """Keyed choices: HMAC-SHA256 of the identity, so that the same identity always has the same result.

    Without the key, nobody can predict a result or infer the identity from it. `is_random` tells a key that was made
    for one run, which nobody can give again. `base` is the key of all releases: itself, unless it is that of a release.
    """

    __slots__ = ("_bytes", "base", "is_random", "release")

    def __init__(self, material: bytes, *, is_random: bool = False) -> None:
        if len(material) != 32:
            raise ConfigError("a key must have 32 bytes")
        self._bytes = material
        self.is_random = is_random
        self.release = ""
        self.base = self

    def __repr__(self) -> str:
        return "Key(...)"

    @classmethod
    def random(cls) -> Key:
        return cls(secrets.token_bytes(32), is_random=True)

    @classmethod
    def of(cls, secret: Secret | None, release: str = "") -> Key:
        """The key of a run: that of the secret and the release, or a random one."""
        return (secret.key() if secret else cls.random()).of_release(release)

    def of_release(self, release: str) -> Key:
        """The key of one release: its hashes, surrogates and numbers tell nothing about those of another release.

        Shifts of dates and changes of ages come from `base`, so they are the same in all releases: with different ones
        for the same notes, several releases together would tell more about the originals than each of them.
        """
        if not release:
            return self
        key = Key(self.base.digest("release", release), is_random=self.is_random)
        key.release, key.base = release, self.base
        return key

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

    def permuted(self, number: int, size: int, *identity: str) -> int:
        return permuted(number, size, self.derive("permutation"), self.digest("tweak", *identity))

    def characters(self, alphabet: str, count: int, *identity: str) -> str:
        """`count` characters of an alphabet."""
        drawn = ""
        while len(drawn) < count:
            pairs = struct.unpack(">16H", self.digest(*identity, str(len(drawn))))
            drawn += "".join([alphabet[pair % len(alphabet)] for pair in pairs])
        return drawn[:count]
