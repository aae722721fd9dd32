"""The files of a run in the order of their paths, and the bytes of a file, on disk or inside an archive."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nadie.bounded import BoundedMap, FirstItems
from nadie.errors import FormatError
from nadie.files import disk as files

STDIN = Path("-")
ANNOTATIONS = ".ann"  # annotation files are skipped here: texts are read without them
_NAMED = 20
_MANY = frozenset({".jsonl", ".notes"})
MAX_DEPTH = 4
"""The maximum nesting depth of archives."""
MAX_UNPACKED = 512 * 1024 * 1024
"""The maximum unpacked size of one file, including nested archives."""


@dataclass(slots=True)
class Budget:
    """The remaining unpacked size of one file of the run; shared by all archives in it."""

    left: int = MAX_UNPACKED

    def spend(self, count: int, where: str) -> None:
        self.left -= count
        if self.left < 0:
            raise FormatError(f"unpacks to more than {MAX_UNPACKED} bytes", where=where)


@dataclass(frozen=True)
class Source:
    """A file to open: `name` as in the run's output, `where` for errors, and a path or a content.

    `depth` is the number of archives around it.
    """

    name: str
    where: str
    path: Path | None = None
    content: bytes = b""
    depth: int = 0
    budget: Budget = field(default_factory=Budget)

    @classmethod
    def of(cls, path: Path, name: str = "") -> Source:
        return cls(name or path.name, str(path), path)

    @property
    def suffix(self) -> str:
        return Path(self.name).suffix.lower()

    def open(self) -> BinaryIO:
        """The file, for containers of any size."""
        if self.path is None:
            return io.BytesIO(self.content)
        try:
            if not self.path.is_file():
                raise FormatError("is not a file" if self.path.exists() else "there is no such file", where=self.where)
            return self.path.open("rb")
        except OSError as error:
            raise FormatError(f"cannot be read ({error.strerror})", where=self.where) from None

    def lines(self) -> Iterator[tuple[int, str]]:
        """The lines with their numbers, one at a time, for containers of any size."""
        with self.open() as file:
            for number, line in enumerate(iter(lambda: file.readline(files.MAX_BYTES + 1), b""), start=1):
                if len(line) > files.MAX_BYTES:
                    raise FormatError(f"is longer than {files.MAX_BYTES} bytes", where=self.where, line=number)
                yield number, files.decode(line, self.where, number)

    def read(self) -> bytes:
        """The whole content, for containers that are held in memory."""
        return self.content if self.path is None else files.read_bytes(self.path)

    def inside(self, name: str, content: bytes) -> Source:
        """The source of a file packed inside this one."""
        if self.depth >= MAX_DEPTH:
            raise FormatError(f"has archives nested more than {MAX_DEPTH} deep", where=self.where)
        return Source(name, f"{self.where}!{name}", None, content, self.depth + 1, self.budget)


@dataclass(frozen=True)
class WatchedSource(Source):
    """A source that reports how much of it was read; `before` is the total size of the preceding files."""

    before: int = 0
    last: list[BinaryIO] = field(default_factory=list, compare=False)

    def open(self) -> BinaryIO:
        file = Source.open(self)
        self.last[:] = [file]
        return file

    @property
    def size(self) -> int:
        return _size(self.path)

    @property
    def position(self) -> int:
        """The number of bytes of the whole run read so far."""
        with suppress(ValueError, OSError, IndexError):  # closed, or not opened from a path
            return self.before + self.last[0].tell()
        return self.before


class FileList:
    """The files of some paths, in order: each is listed once. Iterate over it once.

    `passed_over` are the hidden files and folders and the links to folders, which are skipped; nadie's own hidden files
    are not among them.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = paths
        self.passed_over: FirstItems[str] = FirstItems(_NAMED)
        self._own_files: list[Path] = []
        self._rest = (entry for path in paths for entry in self._listed(path))
        self._ahead = BoundedMap()
        self._listed_ahead = 0

    def __iter__(self) -> Iterator[WatchedSource | FormatError]:
        before = 0
        for name, where, problem in chain(map(self._entry, range(self._listed_ahead)), self._rest):
            if problem:
                yield FormatError(problem, where=where)
                continue
            if where == str(STDIN):
                source = WatchedSource("stdin", "standard input", None, sys.stdin.buffer.read(), before=before)
            else:
                source = WatchedSource(name, where, Path(where), before=before)
            yield source
            before += source.size

    def is_one_document(self) -> bool:
        """Whether there is a single input that is a single text, so that its output needs no heading."""
        self._list_ahead(2)
        name = self._entry(0).name if self._listed_ahead == 1 else ""
        return self._listed_ahead == 1 and Path(name).suffix.lower() not in _MANY

    def total_bytes(self) -> int | None:
        """The total size of all files, which are listed for it; None if standard input is one of them."""
        if STDIN in self.paths:
            return None
        self._list_ahead(sys.maxsize)
        entries = map(self._entry, range(self._listed_ahead))
        return sum(_size(Path(entry.where)) for entry in entries if not entry.problem)

    def own_files(self) -> list[Path]:
        """The hidden files that nadie wrote into the folders, all of which are listed for it."""
        self._list_ahead(sys.maxsize)
        return self._own_files

    def _list_ahead(self, count: int) -> None:
        for entry in islice(self._rest, max(0, count - self._listed_ahead)):
            self._ahead.set(str(self._listed_ahead), "\0".join(entry))
            self._listed_ahead += 1

    def _entry(self, number: int) -> _Entry:
        return _Entry(*(self._ahead.get(str(number)) or "").split("\0"))

    def _listed(self, path: Path) -> Iterator[_Entry]:
        try:
            if path == STDIN or not path.is_dir():
                yield _Entry(path.name, str(path))
                return
        except OSError as error:
            yield _Entry("", str(path), f"cannot be read ({error.strerror})")
            return
        is_empty = True
        for found in files.in_order(path, partial(self._pass_over, path)):
            if isinstance(found, tuple) and found[1].suffix.lower() == ANNOTATIONS:
                continue
            is_empty = False
            yield _Entry(found[0], str(found[1])) if isinstance(found, tuple) else _Entry("", found.where, found.reason)
        if is_empty:
            yield _Entry("", str(path), "holds no files")

    def _pass_over(self, folder: Path, name: str) -> None:
        if Path(name).name.startswith(files.OWN_FILES):
            self._own_files.append(folder / name)
        else:
            self.passed_over.add([name])


class _Entry(NamedTuple):
    """A file with its name in the output, or the problem of a path."""

    name: str
    where: str
    problem: str = ""


def _size(path: Path | None) -> int:
    try:
        return path.stat().st_size if path else 0
    except OSError:
        return 0
