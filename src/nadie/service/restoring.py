"""The vault of a service: what leads back from anonymized texts to their originals, encrypted in one file.

The file is sealed after every request, so a service that is killed leaves a whole vault.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from nadie.anonymize.engine import Anonymized, Replaced
from nadie.anonymize.secret import Secret
from nadie.anonymize.vault.reading import Vault
from nadie.anonymize.vault.writing import VaultWriter
from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.service.settings import Settings


class RememberingSecret(Secret):
    """A secret that is stretched once for each salt: a vault that is opened for each request must not cost it each."""

    __slots__ = ("_stretched",)

    def __init__(self, material: bytes) -> None:
        super().__init__(material)
        self._stretched: dict[tuple[bytes, int, int, int], bytes] = {}

    def stretch(self, salt: bytes, *, log2_n: int, r: int, p: int) -> bytes:
        cost = (salt, log2_n, r, p)
        if cost not in self._stretched:
            self._stretched[cost] = super().stretch(salt, log2_n=log2_n, r=r, p=p)
        return self._stretched[cost]


class VaultKeeper:
    """One vault file, written and read by many requests, one at a time."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self._path = path
        self._secret = secret
        self._lock = threading.Lock()
        self._reader: Vault | None = None
        VaultWriter(path, secret).close()  # a wrong key or a damaged file is told at the start

    def add(self, outputs: Sequence[Anonymized]) -> None:
        """Keep the way back from these outputs; it is on the disk when this returns."""
        with self._lock:
            self._close_reader()
            with VaultWriter(self._path, self._secret) as writer:
                writer.add(outputs)

    def restore(self, id: str, text: str) -> str:  # noqa: A002
        """The original of an output; `VaultError` where there is none, or more than one."""
        with self._lock:
            if self._reader is None:
                self._reader = Vault(self._path, self._secret)
            return self._reader.restore(Document(id, text)).text

    def close(self) -> None:
        with self._lock:
            self._close_reader()

    def _close_reader(self) -> None:
        if self._reader is not None:
            self._reader.close()
        self._reader = None


def vault_of(settings: Settings) -> VaultKeeper | None:
    """The vault that the settings name, if they name one."""
    if settings.vault is None:
        return None
    if settings.vault_key_file is None:
        raise ConfigError("a vault needs the setting vault_key_file: a file that holds its passphrase")
    try:
        material = settings.vault_key_file.read_bytes().rstrip(b"\r\n")
    except OSError as error:
        raise ConfigError(f"the key file {settings.vault_key_file} cannot be read ({error.strerror})") from None
    return VaultKeeper(settings.vault, RememberingSecret(material))


def output_of(id: str, text: str, result: Mapping[str, Any]) -> Anonymized:  # noqa: A002
    """What the engine gave, from the answer of the worker that ran it."""
    spans = [Span(*row) for row in result["spans"]]
    replaced = tuple(
        Replaced(span, start, end, operator, kept, refused)
        for span, (start, end, operator, kept, refused) in zip(spans, result["replacements"], strict=True)
    )
    return Anonymized(Document(id, text, tuple(spans)), result["text"], replaced)
