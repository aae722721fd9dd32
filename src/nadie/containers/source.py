"""The bytes of one file, on disk or inside an archive, with limits for reading them."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from nadie.errors import FormatError
from nadie.formats import files

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
