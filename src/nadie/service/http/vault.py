"""The vault of a service: an encrypted file from which the originals of anonymized texts are restored.

The file is sealed after every request, so a service that is killed leaves a complete vault.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import ConfigError
from nadie.records.vault.reading import Vault
from nadie.records.vault.writing import VaultWriter
from nadie.service.http.keys import read_secret
from nadie.service.options import ServiceOptions


class CachedSecret(Secret):
    """A secret that is stretched once for each salt, because the vault is opened for each request."""

    __slots__ = ("_stretched",)

    def __init__(self, material: bytes, salt: bytes = b"") -> None:
        super().__init__(material, salt)
        self._stretched: dict[tuple[bytes, int, int, int], bytes] = {}

    def stretch(self, salt: bytes, *, log2_n: int, r: int, p: int) -> bytes:
        cost = (salt, log2_n, r, p)
        if cost not in self._stretched:
            self._stretched[cost] = super().stretch(salt, log2_n=log2_n, r=r, p=p)
        return self._stretched[cost]


class VaultFile:
    """One vault file, used by many requests, one at a time."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self._path = path
        self._secret = secret
        self._lock = threading.RLock()
        self._reader: Vault | None = None
        VaultWriter(path, secret).close()  # fails at start-up for a wrong key or a damaged file

    def add(self, outputs: Sequence[Anonymized]) -> None:
        """Store the data for restoring these outputs; it is on disk when this returns."""
        with self._lock:
            self.close()
            with VaultWriter(self._path, self._secret) as writer:
                writer.add(outputs)

    def restore(self, id: str, text: str) -> str:  # noqa: A002
        """The original of an output; `VaultError` if there is none, or more than one."""
        with self._lock:
            if self._reader is None:
                self._reader = Vault(self._path, self._secret)
            return self._reader.restore(Document(id, text)).text

    def close(self) -> None:
        with self._lock:
            if self._reader is not None:
                self._reader.close()
            self._reader = None


def vault_of(options: ServiceOptions) -> VaultFile | None:
    """The vault of the options, if they name one."""
    if options.vault is None:
        return None
    if options.vault_key_file is None:
        raise ConfigError("a vault needs the option vault_key_file: a file with its passphrase")
    return VaultFile(options.vault, read_secret(options.vault_key_file, CachedSecret))
