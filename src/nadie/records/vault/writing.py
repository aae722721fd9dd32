"""Writing a vault: entries are on disk before the outputs that need them.

Entries are appended in groups, each group with one `fsync`. The file has no seal while a run writes; a run that is
killed leaves all its complete entries, and the next attempt to open the file reports the missing seal. Nothing is
repaired silently.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.secret import Secret
from nadie.errors import VaultError
from nadie.records.vault.entry import Entry
from nadie.records.vault.frames import ENTRY, HEADER_BYTES, NOTE, SEAL, Cipher, Frame, frames


class VaultWriter:
    """Adds entries to a vault, which is created if it does not exist.

    >>> with VaultWriter(path, secret) as vault:           # doctest: +SKIP
    ...     vault.add([engine.run(document)])
    """

    def __init__(self, path: Path, secret: Secret) -> None:
        self._path = path
        try:
            if not path.exists():
                self._create(secret)
            self._file: IO[bytes] = path.open("r+b")
        except OSError as error:
            raise VaultError(f"the vault {path} cannot be opened ({error.strerror})") from None
        try:
            lock(self._file, path)
            self._cipher = Cipher.open(self._file.read(HEADER_BYTES), secret, path)
            seal, self._entries = sealed(self._file, self._cipher, path)
            self._end = seal.at
        except BaseException:
            self._file.close()
            raise

    def add(self, anonymized: Iterable[Anonymized]) -> None:
        """Write entries for these outputs, and return when they are on disk."""
        self._append((ENTRY, Entry.of(item).to_bytes()) for item in anonymized)

    def note(self, topic: str, content: Mapping[str, str]) -> None:
        """Store other data about the run, such as the new name of a file."""
        self._append([(NOTE, json.dumps({"topic": topic, **content}).encode("ascii"))])

    def _append(self, frames_content: Iterable[tuple[bytes, bytes]]) -> None:
        content = b""
        count = self._entries
        for kind, piece in frames_content:
            content += self._cipher.close(kind, count, piece)
            count += 1
        self._write(content)
        self._end += len(content)
        self._entries = count

    def close(self) -> None:
        """Seal the file; without a seal it counts as interrupted."""
        if not self._file.closed:
            self._write(seal_of(self._cipher, self._entries))
            self._file.close()

    def _create(self, secret: Secret) -> None:
        secret.check()
        cipher = Cipher.create(secret)
        replace_file(self._path, [cipher.header, seal_of(cipher, 0)])

    def _write(self, content: bytes) -> None:
        try:
            self._file.seek(self._end)
            self._file.write(content)
            self._file.truncate()
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise VaultError(f"the vault {self._path} cannot be written ({error.strerror})") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def seal_of(cipher: Cipher, entries: int) -> bytes:
    return cipher.close(SEAL, entries, json.dumps({"entries": entries}).encode("ascii"))


def sealed(file: IO[bytes], cipher: Cipher, path: Path) -> tuple[Frame, int]:
    """The seal of a vault and the number of its entries; a vault without a seal was truncated or interrupted."""
    found = list(frames(file))
    last, entries = found[-1] if found else None, len(found) - 1
    if last is None or last.kind != SEAL or cipher.content(file, last, entries) is None:
        raise VaultError(
            f"the vault {path} has no valid end: a run was interrupted, or the file was cut or changed. "
            f"`nadie vault recover` saves the intact entries"
        )
    return last, entries


def lock(file: IO[bytes], path: Path) -> None:
    """Allow one writer at a time, if the system supports locks."""
    try:
        import fcntl
    except ModuleNotFoundError:
        return
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        raise VaultError(f"the vault {path} is being written by another run") from None


def replace_file(path: Path, content: Iterable[bytes]) -> None:
    """Replace `path` atomically by a new file that only its owner can read."""
    staging = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        handle = os.open(staging, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            for piece in content:
                file.write(piece)
            file.flush()
            os.fsync(file.fileno())
        staging.replace(path)
        if os.name == "posix":
            folder = os.open(path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
    finally:
        staging.unlink(missing_ok=True)
