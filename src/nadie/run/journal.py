"""The journal of a run: the result of each text, so that a run that was killed can be resumed.

The journal is in the output folder. For each anonymized text it stores the offsets, the labels and the new values, but
no original values; texts are identified by keyed fingerprints. A list of all surrogates would help whoever looks for
names that were missed, so every entry is encrypted with AES-256-GCM under a key of the run. A resumed run reads its
inputs again, takes the results in the journal from there, and writes all outputs again. So the outputs are the same,
byte for byte, wherever the first run stopped.

If the run was killed while it wrote an entry, that entry cannot be decrypted and the journal ends before it.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from struct import Struct, error
from typing import IO, TYPE_CHECKING, Any, Generic, NamedTuple, Self, TypeVar

from nadie.anonymize.engine import Anonymized
from nadie.anonymize.replacements import Replacements
from nadie.anonymize.secret import Key
from nadie.document import Document
from nadie.errors import ConfigError, Failure, NadieError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

NAME = ".nadie-journal"
_FINISHED = ".nadie-journal.finished"
_NEW = ".nadie-journal.new"
_VERSION = 2
_LENGTH = Struct(">I")  # of the encrypted entry that follows
_NONCE = 12
_MOST_BYTES = 1 << 30
Owner = TypeVar("Owner")
_UNFINISHED = re.compile(r"\.[0-9a-f]{16}\.(?:part|whole)")


class _JournalEntry(NamedTuple):
    fingerprint: str
    spans: Sequence[Sequence[Any]]


@dataclass(frozen=True, slots=True)
class _Marked(Generic[Owner]):
    """The owner of a text with the fingerprint of the text, and whether its result is in the journal."""

    owner: Owner
    fingerprint: str
    is_known: bool


class Journal:
    """The journal in one output folder. Pass inputs to `replayed` and their results to `add`.

    Use it in a `with` statement, and call `finish` at the end of the run; otherwise the journal stays for `--resume`.

    `about` is everything that determines the output, as JSON: with `resume`, the journal of a run with another `about`
    is refused. Without `resume`, any journal that a killed run left is refused.
    """

    def __init__(self, folder: Path, key: Key, about: Mapping[str, Any], *, resume: bool) -> None:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM  # on demand: most runs have no journal

        self._key = key
        self._aes = AESGCM(key.derive("journal"))
        self._written = 0
        self._path, self._finished, self._next = folder / NAME, folder / _FINISHED, folder / _NEW
        self._head = {"journal": _VERSION, "run": key.fingerprint(json.dumps(about, sort_keys=True, default=str))}
        self._replaying = 0
        self._failed: int | None = None
        self.replays = 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
            old = next((path for path in (self._path, self._finished) if path.exists()), None)
            if old == self._path and not resume:
                raise ConfigError(f"{folder}: a run was interrupted here. Continue with --resume, or delete {old}")
            self._old = self._read(old) if old and resume else iter(())
            self._waiting = next(self._old, None)
            if resume:
                _tidy(folder)
            self._is_new = old == self._path
            self._file = _created(self._next if self._is_new else self._path)
        except OSError as failure:
            raise ConfigError(f"the journal in {folder} cannot be opened ({failure.strerror})") from None
        self._write(self._head)

    def replayed(
        self, pairs: Iterable[tuple[Owner, Document | Failure]]
    ) -> Iterator[tuple[_Marked[Owner], Document | Failure | Anonymized]]:
        """The inputs; for inputs that are in the journal, their results instead."""
        for owner, item in pairs:
            mark = self._fingerprint(item) if isinstance(item, Document) else ""
            known = self._known(item, mark) if isinstance(item, Document) else None
            self._replaying += known is not None
            yield _Marked(owner, mark, known is not None), item if known is None else known

    def add(self, batch: list[tuple[_Marked[Owner], Any]]) -> list[tuple[Owner, Any]]:
        """Write the results of a batch, and return them with their owners.

        Failures are not written, so a resumed run tries them again.
        """
        entries = []
        for marked, result in batch:
            self._replaying -= marked.is_known
            self.replays += marked.is_known
            if isinstance(result, Anonymized):
                entries.append(_JournalEntry(marked.fingerprint, Replacements.of(result).rows))
        if entries:
            self._write(entries)
        if self._is_new and self._waiting is None and not self._replaying:
            self._promote()
        return [(marked.owner, result) for marked, result in batch]

    def finish(self, failed: int) -> list[str]:
        """Mark the run as finished: the journal is deleted when it is closed. Returns messages for the user.

        If something failed, the journal is kept, so that `--resume` can try only the failures again.
        """
        self._failed = failed
        messages = [f"{self.replays} texts were done before the run was interrupted"] if self.replays else []
        if failed:
            messages.append(f"--resume tries the failures again with {self._finished}; delete it if not needed")
        return messages

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()
        if self._failed is None:
            return
        if self._is_new:
            self._promote()
        if self._failed:
            self._path.replace(self._finished)
        else:
            self._path.unlink(missing_ok=True)
            self._finished.unlink(missing_ok=True)

    def _promote(self) -> None:
        """Replace the old journal by the new one, which has all its entries."""
        self._next.replace(self._path)
        self._is_new = False

    def _known(self, document: Document, mark: str) -> Anonymized | None:
        """The next result of the journal if it belongs to this document. New and failed documents have none."""
        entry = self._waiting
        if entry is None or entry.fingerprint != mark:
            return None
        self._waiting = next(self._old, None)
        return Replacements(entry.spans).applied_to(document)

    def _fingerprint(self, document: Document) -> str:
        spans = [(s.start, s.end, s.label, s.score, s.source) for s in document.spans]
        about = json.dumps([document.id, spans, sorted(document.meta.items())])
        return self._key.digest("journal", about, document.text).hex()[:32]

    def _write(self, content: object) -> None:
        packed = zlib.compress(json.dumps(content, ensure_ascii=False).encode("utf-8", "surrogatepass"), 1)
        nonce = secrets.token_bytes(_NONCE)
        sealed = self._aes.encrypt(nonce, packed, _bound_to(self._written))
        try:
            self._file.write(_LENGTH.pack(len(sealed)) + nonce + sealed)
            self._file.flush()
            self._written += 1
        except OSError as failure:
            raise JournalError(f"the journal {self._path} cannot be written ({failure.strerror})") from None

    def _read(self, path: Path) -> Iterator[_JournalEntry]:
        frames = _frames(path, self._aes)
        if next(frames, None) != self._head:
            raise ConfigError(
                f"the run that left {path} had another key, model, policy or options: give the same ones, or delete it"
            )
        return (_JournalEntry(*entry) for frame in frames for entry in frame)


class JournalError(NadieError):
    """A journal that cannot be written. The run stops, because it could not be resumed."""


def _bound_to(number: int) -> bytes:
    """The authenticated data of an entry: an entry that was moved cannot be decrypted."""
    return str(number).encode("ascii")


def _frames(path: Path, aes: AESGCM) -> Iterator[Any]:
    """The complete entries of a journal, from the beginning."""
    from cryptography.exceptions import InvalidTag

    with path.open("rb") as file:
        for number in count():
            try:
                (length,) = _LENGTH.unpack(file.read(_LENGTH.size))
                nonce, sealed = file.read(_NONCE), file.read(min(length, _MOST_BYTES))
                packed = aes.decrypt(nonce, sealed, _bound_to(number))
            except (error, InvalidTag, ValueError):
                return
            yield json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))


def _created(path: Path) -> IO[bytes]:
    path.unlink(missing_ok=True)
    return os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb")


def _tidy(folder: Path) -> None:
    """Delete the files that a killed run was writing. They have temporary names that no document can have."""
    for where, _, names in os.walk(folder):
        for name in names:
            if _UNFINISHED.fullmatch(name):
                Path(where, name).unlink(missing_ok=True)
