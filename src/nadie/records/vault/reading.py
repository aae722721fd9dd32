"""Reading a vault: restoring, checking, changing the key, recovering a damaged one."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import IO, NamedTuple

from nadie.anonymize.secret import Secret
from nadie.document import Document
from nadie.errors import VaultError
from nadie.records.vault.entry import Entry, digest
from nadie.records.vault.frames import ENTRY, HEADER_BYTES, NOTE, Cipher, Frame, frames
from nadie.records.vault.writing import lock, replace_file, seal_of, sealed


class Recovered(NamedTuple):
    """The numbers of entries saved and lost, and the number of bytes at the end that were not a complete entry."""

    entries: int
    lost: int
    cut_bytes: int


class Vault:
    """A vault opened for reading: every frame is authenticated before its content is returned."""

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
            self._notes: list[dict[str, str]] = []
            for number, frame in enumerate(list(frames(self._file))):
                if frame.kind == ENTRY:
                    entry = Entry.from_bytes(self._content(frame, number))
                    self._by_output[entry.output].append((entry.id, frame, number))
                elif frame.kind == NOTE:
                    self._notes.append(json.loads(self._content(frame, number)))
        except BaseException:
            self._file.close()
            raise

    def __len__(self) -> int:
        return sum(len(found) for found in self._by_output.values())

    def _content(self, frame: Frame, number: int) -> bytes:
        content = self._cipher.content(self._file, frame, number)
        if content is None:
            raise VaultError(f"entry {number} of the vault {self.path} was changed and cannot be used")
        return content

    def notes(self, topic: str) -> list[dict[str, str]]:
        """The notes on a topic that `VaultWriter.note` stored, in order."""
        return [note for note in self._notes if note["topic"] == topic]

    def restore(self, document: Document, only: Collection[str] = ()) -> Document:
        """The original document, with its original name if it was renamed; with `only`, values of these labels alone.

        It is found by its id and its text; a copy with another name by its text alone.
        """
        found = self._by_output.get(digest(document.text), [])
        name = self.names().get(document.id, document.id)
        named = [item for item in found if item[0] == name] or found
        entries = [Entry.from_bytes(self._content(frame, number)) for _, frame, number in named]
        if not entries:
            raise VaultError("the vault has no entry for it as it is now: was its text changed?", where=document.id)
        if only and any(not piece.label for entry in entries for piece in entry.pieces):
            raise VaultError("the vault was written before labels were stored: restore all values", where=document.id)
        texts = {entry.restore(document.text, only) for entry in entries}
        if len(texts) > 1:
            raise VaultError("the vault has several originals with the same output", where=document.id)
        return Document(name, texts.pop(), (), document.meta)

    def restore_edited(self, document: Document, only: Collection[str] = ()) -> tuple[Document, tuple[str, ...]]:
        """The document, which was edited since, with the originals that can be placed, and the labels of the others."""
        if digest(document.text) in self._by_output:
            return self.restore(document, only), ()
        name = self.names().get(document.id, document.id)
        every = (item for found in self._by_output.values() for item in found if item[0] == name)
        last = max(every, key=lambda item: item[2], default=None)
        if last is None:
            raise VaultError("the vault has no entry of that name", where=document.id)
        entry = Entry.from_bytes(self._content(last[1], last[2]))
        if any(not piece.label for piece in entry.pieces):
            raise VaultError("the vault was written before values were stored: edited texts cannot be restored")
        restored = entry.restore_edited(document.text, only)
        return Document(name, restored.text, (), document.meta), restored.unplaced

    def names(self) -> dict[str, str]:
        """The original names of renamed files and documents, by their new names."""
        return {note["output"]: note["original"] for note in self.notes("name")}

    def contents(self) -> Iterator[tuple[bytes, bytes]]:
        """Kind and content of all entries and notes, in order."""
        for number, frame in enumerate(list(frames(self._file))):
            if frame.kind in (ENTRY, NOTE):
                yield frame.kind, self._content(frame, number)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Vault:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def rotate(path: Path, old: Secret, new: Secret) -> int:
    """Encrypt the whole vault with another key; the old file is kept until the new one is complete."""
    new.check()
    with _opened(path) as file:
        lock(file, path)
        with Vault(path, old) as vault:
            count = len(vault)
            replace_file(path, _content(Cipher.create(new), vault.contents()))
    return count


def recover(path: Path, secret: Secret) -> Recovered:
    """Keep every intact entry and seal the file; the damaged file is kept next to it with the suffix `.damaged`.

    If there is no space for a second file, a vault whose intact entries are all at its beginning, as after an
    interrupted run, is sealed in place. Any other vault is not changed.
    """
    with _opened(path) as file:
        lock(file, path)
        cipher = Cipher.open(file.read(HEADER_BYTES), secret, path)
        found = list(frames(file))
        whole = [frame for frame in found if frame.kind in (ENTRY, NOTE)]
        contents = ((frame.kind, cipher.content(file, frame, number)) for number, frame in enumerate(whole))
        saved = [(kind, content) for kind, content in contents if content is not None]
        cut = sum(frame.end - frame.at for frame in found if frame.kind == b"")
        damaged = path.with_name(f"{path.name}.damaged")
        file.seek(0)
        try:
            replace_file(damaged, iter(lambda: file.read(1 << 20), b""))
            replace_file(path, _content(Cipher.create(secret), iter(saved)))
        except OSError as error:
            if len(saved) < len(whole) or found[: len(whole)] != whole:
                raise VaultError(
                    f"there is no space for the recovered vault next to {path} ({error.strerror}): nothing was changed"
                ) from None
            _seal_in_place(file, cipher, whole)
    entries = sum(kind == ENTRY for kind, _ in saved)
    return Recovered(entries, len(whole) - len(saved), cut)


def _seal_in_place(file: IO[bytes], cipher: Cipher, whole: list[Frame]) -> None:
    """Truncate the file after its last intact frame and seal it, which needs at most a few more bytes."""
    file.seek(whole[-1].end if whole else HEADER_BYTES)
    file.truncate()
    file.write(seal_of(cipher, len(whole)))
    file.flush()
    os.fsync(file.fileno())


def _opened(path: Path) -> IO[bytes]:
    try:
        return path.open("r+b")
    except OSError as error:
        raise VaultError(f"the vault {path} cannot be opened ({error.strerror})") from None


def _content(cipher: Cipher, contents: Iterator[tuple[bytes, bytes]]) -> Iterator[bytes]:
    yield cipher.header
    count = 0
    for kind, content in contents:
        yield cipher.close(kind, count, content)
        count += 1
    yield seal_of(cipher, count)
