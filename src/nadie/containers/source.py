"""The files of a run in the order of their paths, and the bytes of a file, on disk or inside an archive."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nadie.errors import FormatError
from nadie.formats import files

STDIN = Path("-")
ANNOTATIONS = ".ann"  # annotation files are skipped here: texts are read without them
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


def sources(
    path: Path, before: int = 0, passed_over: Callable[[str], None] = lambda path: None
) -> Iterator[WatchedSource | FormatError]:
    """The files of a path: a file itself, all files below a folder, or standard input.

    `passed_over` is called with each hidden file or folder and each link to a folder; these are skipped.
    """
    if path == STDIN:
        yield WatchedSource("stdin", "standard input", None, sys.stdin.buffer.read())
        return
    try:
        if not path.is_dir():
            yield WatchedSource(path.name, str(path), path, before=before)
            return
    except OSError as error:
        yield FormatError(f"cannot be read ({error.strerror})", where=str(path))
        return
    for found in files.in_order(path, passed_over):
        if isinstance(found, FormatError):
            yield found
            continue
        name, file = found
        if file.suffix.lower() != ANNOTATIONS:
            source = WatchedSource(name, str(file), file, before=before)
            yield source
            before += source.size


def total_bytes(paths: Sequence[Path]) -> int | None:
    """The total size of all files, for a progress bar; None if standard input is one of them."""
    if STDIN in paths:
        return None
    found = (source for path in paths for source in sources(path))
    return sum(source.size for source in found if isinstance(source, WatchedSource))


def is_one_document(paths: Sequence[Path]) -> bool:
    """Whether there is a single input that is a single text, so that its output needs no heading."""
    if len(paths) != 1:
        return False
    if paths[0] == STDIN:
        return True
    found = sources(paths[0])
    first, second = next(found, None), next(found, None)
    return second is None and not (isinstance(first, WatchedSource) and first.suffix in _MANY)


def _size(path: Path | None) -> int:
    try:
        return path.stat().st_size if path else 0
    except OSError:
        return 0
