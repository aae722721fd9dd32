"""The bytes of one file, on the disk or inside an archive, with the limits that hold for reading them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nadie.errors import FormatError
from nadie.formats import files

MAX_DEPTH = 4
"""How many archives may lie inside one another."""
MAX_UNPACKED = 512 * 1024 * 1024
"""The most that one file may unpack to, archives in archives included."""


@dataclass(slots=True)
class Budget:
    """What one file of the run may still unpack; shared by all archives in it."""

    left: int = MAX_UNPACKED

    def spend(self, count: int, where: str) -> None:
        self.left -= count
        if self.left < 0:
            raise FormatError(f"unpacks to more than {MAX_UNPACKED} bytes", where=where)


@dataclass(frozen=True)
class Source:
    """A file to open: `name` as in the run's output, `where` for errors, and a path or a content.

    `depth` counts the archives around it.
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
                raise FormatError("is no file" if self.path.exists() else "there is no such file", where=self.where)
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
        """A file that was packed in this one."""
        if self.depth >= MAX_DEPTH:
            raise FormatError(f"holds more than {MAX_DEPTH} archives inside one another", where=self.where)
        return Source(name, f"{self.where}!{name}", None, content, self.depth + 1, self.budget)
