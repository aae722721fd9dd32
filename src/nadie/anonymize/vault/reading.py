"""Reading a vault: going back, checking it, giving it another key, saving what is left of a damaged one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import IO, NamedTuple

from nadie.anonymize.secret import Secret
from nadie.anonymize.vault.entry import Entry, digest
from nadie.anonymize.vault.frames import ENTRY, HEADER_BYTES, Cipher, Frame, frames
from nadie.anonymize.vault.writing import lock, replace_file, seal_of, sealed
from nadie.document import Document
from nadie.errors import VaultError


class Recovered(NamedTuple):
    """How many entries were saved, how many were not, and how many bytes at the end were no whole entry."""

    entries: int
    lost: int
    cut_bytes: int


class Vault:
    """A vault opened for reading: every frame is authenticated before anything is given back."""

    def __init__(self, path: Path, secret: Secret) -> None:
        self.path = path
        try:
            self._file = path.open("rb")
        except OSError as error:
            raise VaultError(f"the vault {path} cannot be opened ({error.strerror})") from None
        try:
            self._cipher = Cipher.open(self._file.read(HEADER_BYTES), secret, path)
            sealed(self._file, self._cipher, path)
            self._by_output: dict[str, list[tuple[str, Frame, int]]] = defaultdict(list)
            for number, frame in enumerate(_entries(frames(self._file))):
                entry = self._entry(frame, number)
                self._by_output[entry.output].append((entry.id, frame, number))
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        return sum(len(found) for found in self._by_output.values())

    def _entry(self, frame: Frame, number: int) -> Entry:
        content = self._cipher.content(self._file, frame, number)
        if content is None:
            raise VaultError(f"entry {number} of the vault {self.path} was changed: nothing of it is used")
        return Entry.from_bytes(content)

    def restore(self, document: Document) -> Document:
        """The document as it was. It is found by its id and its text; a copy under another name by its text alone."""
        found = self._by_output.get(digest(document.text), [])
        named = [item for item in found if item[0] == document.id] or found
        entries = [self._entry(frame, number) for _, frame, number in named]
        if not entries:
            raise VaultError(f"the vault has no entry for {document.id[:80]!r} as it is now: was its text changed?")
        texts = {entry.restore(document.text) for entry in entries}
        if len(texts) > 1:
            raise VaultError(f"the vault has several originals with the same output as {document.id[:80]!r}")
        return Document(document.id, texts.pop(), (), document.meta)

    def entries(self) -> Iterator[Entry]:
        """All entries in the order in which they were written."""
        for number, frame in enumerate(_entries(frames(self._file))):
            yield self._entry(frame, number)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rotate(path: Path, old: Secret, new: Secret) -> int:
    """Encrypt the whole vault anew under another key; the old file stays until the new one is complete."""
    with _opened(path) as file:
        lock(file, path)
        with Vault(path, old) as vault:
            count = len(vault)
            replace_file(path, _content(Cipher.create(new), (entry.to_bytes() for entry in vault.entries())))
    return count


def recover(path: Path, secret: Secret) -> Recovered:
    """Keep every entry that is whole and seal the file; the damaged file stays beside it with `.damaged`."""
    with _opened(path) as file:
        lock(file, path)
        cipher = Cipher.open(file.read(HEADER_BYTES), secret, path)
        found = list(frames(file))
        whole = [frame for frame in found if frame.kind == ENTRY]
        contents = [cipher.content(file, frame, number) for number, frame in enumerate(whole)]
        saved = [content for content in contents if content is not None]
        cut = sum(frame.end - frame.at for frame in found if frame.kind == b"")
        damaged = path.with_name(f"{path.name}.damaged")
        file.seek(0)
        replace_file(damaged, iter(lambda: file.read(1 << 20), b""))
        replace_file(path, _content(Cipher.create(secret), iter(saved)))
    return Recovered(len(saved), len(whole) - len(saved), cut)


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("r+b")
    except OSError as error:
        raise VaultError(f"the vault {path} cannot be opened ({error.strerror})") from None


def _content(cipher: Cipher, entries: Iterator[bytes]) -> Iterator[bytes]:
    yield cipher.header
    count = 0
    for content in entries:
        yield cipher.close(ENTRY, count, content)
        count += 1
    yield seal_of(cipher, count)


def _entries(found: Iterator[Frame]) -> Iterator[Frame]:
    """The frames of entries, read to the end before the file is moved about."""
    return iter([frame for frame in found if frame.kind == ENTRY])
