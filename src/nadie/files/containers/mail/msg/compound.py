"""Compound files: the storages and streams of an Outlook message, read with olefile and written from scratch.

A file that is written from scratch has only the given content: no free sectors with earlier data.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import olefile

from nadie.errors import FormatError
from nadie.files.source import Source

_SECTOR, _MINI, _CUTOFF = 512, 64, 4096
_FREE, _END, _FAT, _DIFAT = 0xFFFFFFFF, 0xFFFFFFFE, 0xFFFFFFFD, 0xFFFFFFFC
_IN_HEADER = 109
_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_STORAGE, _STREAM, _ROOT = 1, 2, 5
_MAX_STREAMS, _MAX_DEPTH = 20_000, 40


@dataclass
class Storage:
    """A folder of a compound file."""

    streams: dict[str, bytes] = field(default_factory=dict)
    storages: dict[str, Storage] = field(default_factory=dict)


def read(source: Source) -> Storage:
    """All storages and streams of a file, under the limits of its source."""
    root = Storage()
    with olefile.OleFileIO(io.BytesIO(source.read())) as file:
        paths = file.listdir(streams=True, storages=False)
        if len(paths) > _MAX_STREAMS or any(len(path) > _MAX_DEPTH for path in paths):
            raise FormatError(
                f"has more than {_MAX_STREAMS} streams, or storages that are too deep", where=source.where
            )
        for *folders, name in paths:
            at = root
            for folder in folders:
                at = at.storages.setdefault(folder, Storage())
            content = file.openstream([*folders, name]).read()
            source.budget.spend(len(content), source.where)
            at.streams[name] = content
    return root


def written(root: Storage, clsid: bytes) -> bytes:
    """The bytes of a compound file of version 3."""
    return _Writer().write(root, clsid)


@dataclass
class _DirectoryEntry:
    name: str
    kind: int
    content: bytes = b""
    child: int = _FREE
    left: int = _FREE
    right: int = _FREE


class _Writer:
    def __init__(self) -> None:
        self._entries: list[_DirectoryEntry] = []
        self._body = bytearray()
        self._fat: list[int] = []
        self._mini = bytearray()
        self._mini_fat: list[int] = []

    def write(self, root: Storage, clsid: bytes) -> bytes:
        self._entries.append(_DirectoryEntry("Root Entry", _ROOT))
        self._add(root, 0)
        places = [self._stored(entry.content) if entry.kind == _STREAM else _FREE for entry in self._entries]
        mini_at = _chained(bytes(self._mini), self._body, self._fat, _SECTOR)
        mini_fat = _chained(_packed(self._mini_fat, _SECTOR), self._body, self._fat, _SECTOR)
        directory = b"".join(
            _directory_entry(entry, place, clsid, (mini_at, len(self._mini)))
            for entry, place in zip(self._entries, places, strict=True)
        )
        empty = struct.pack("<64xHBB3I16x", 0, 0, 1, _FREE, _FREE, _FREE) + bytes(32)
        directory += empty * (-len(self._entries) % (_SECTOR // 128))
        first_entry = _chained(directory, self._body, self._fat, _SECTOR)
        return self._finished(first_entry, mini_fat)

    def _add(self, storage: Storage, parent: int) -> None:
        made = []
        for name, content in storage.streams.items():
            made.append((name, len(self._entries)))
            self._entries.append(_DirectoryEntry(name, _STREAM, content))
        for name, inner in storage.storages.items():
            at = len(self._entries)
            made.append((name, at))
            self._entries.append(_DirectoryEntry(name, _STORAGE))
            self._add(inner, at)
        ordered = [at for _, at in sorted(made, key=lambda each: (len(each[0]), each[0].upper()))]
        self._entries[parent].child = self._tree(ordered)

    def _tree(self, ordered: Sequence[int]) -> int:
        """Build a balanced tree of the entries of one storage; return its root."""
        if not ordered:
            return _FREE
        middle = len(ordered) // 2
        entry = self._entries[ordered[middle]]
        entry.left, entry.right = self._tree(ordered[:middle]), self._tree(ordered[middle + 1 :])
        return ordered[middle]

    def _stored(self, content: bytes) -> int:
        if len(content) < _CUTOFF:
            return _chained(content, self._mini, self._mini_fat, _MINI)
        return _chained(content, self._body, self._fat, _SECTOR)

    def _finished(self, directory: int, mini_fat: int) -> bytes:
        used, per_sector = len(self._fat), _SECTOR // 4
        tables = lists = 0
        while tables * per_sector < used + tables + lists:
            tables += 1
            lists = max(0, -(-(tables - _IN_HEADER) // (per_sector - 1)))
        first_table, first_list = used, used + tables
        self._fat += [_FAT] * tables + [_DIFAT] * lists
        self._body += _packed(self._fat, _SECTOR)
        where = list(range(first_table, first_table + tables))
        self._body += b"".join(_lists(where[_IN_HEADER:], first_list, lists))
        head = struct.pack(
            "<8s16xHHHHH6xIIIIIIIII", _MAGIC, 0x3E, 3, 0xFFFE, 9, 6, 0, tables, directory, 0, _CUTOFF, mini_fat,
            -(-len(self._mini_fat) * 4 // _SECTOR), first_list if lists else _END, lists,
        )  # fmt: skip
        return head + _packed(where[:_IN_HEADER], _IN_HEADER * 4) + bytes(self._body)


def _lists(tables: Sequence[int], first: int, count: int) -> Iterator[bytes]:
    """The sectors that list the further tables, each with the number of the next one."""
    size = _SECTOR // 4 - 1
    for n in range(count):
        following = first + n + 1 if n + 1 < count else _END
        yield _packed(tables[n * size : (n + 1) * size], size * 4) + struct.pack("<I", following)


def _chained(content: bytes, body: bytearray, table: list[int], size: int) -> int:
    """Add a stream to the body, and its chain to the table; return its first sector."""
    if not content:
        return _END
    start, count = len(table), -(-len(content) // size)
    table += [*range(start + 1, start + count), _END]
    body += content + bytes(-len(content) % size)
    return start


def _packed(numbers: Sequence[int], size: int) -> bytes:
    """The numbers of a table, with the rest of its last sector marked as free."""
    free = -len(numbers) * 4 % size // 4
    return struct.pack(f"<{len(numbers) + free}I", *numbers, *[_FREE] * free)


def _directory_entry(entry: _DirectoryEntry, place: int, clsid: bytes, mini: tuple[int, int]) -> bytes:
    name = entry.name.encode("utf-16-le") + b"\0\0"
    start, size = (place, len(entry.content)) if entry.kind == _STREAM else (0, 0)
    if entry.kind == _ROOT:
        start, size = mini
    links = (entry.left, entry.right, entry.child)
    known = clsid if entry.kind == _ROOT else bytes(16)
    black = 1
    return struct.pack(
        "<64sHBB3I16sI16xIII", name, len(name), entry.kind, black, *links, known, 0, start, size, 0
    )  # fmt: skip
