"""ZIP files as packages of parts: the common part of Word, Excel, OpenDocument and plain archives.

Parts that are not changed keep their bytes, their order, their dates and their compression.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping
from pathlib import PurePosixPath
from typing import BinaryIO, NoReturn

from nadie.errors import FormatError
from nadie.files.disk import MAX_BYTES
from nadie.files.source import Source

MAX_PARTS = 10_000
_ENCRYPTED = 0x1
_SIDE_FILES = frozenset({".ds_store", "thumbs.db", "desktop.ini", ".localized"})


class Package:
    """The parts of a ZIP file, read one by one within the limits of its source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(source.read()))
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, RuntimeError):
            self._fail("is a damaged or truncated ZIP file")
        self._parts = {info.filename: info for info in self._archive.infolist()}
        if len(self._parts) != len(self._archive.infolist()):
            self._fail("has two parts with the same name")
        if len(self._parts) > MAX_PARTS:
            self._fail(f"has more than {MAX_PARTS} parts")
        if any(info.flag_bits & _ENCRYPTED for info in self._parts.values()):
            self._fail("is encrypted: decrypt it first")

    @property
    def names(self) -> list[str]:
        """The names of the parts, without folders, in order."""
        return [name for name, info in self._parts.items() if not info.is_dir()]

    @property
    def entries(self) -> list[str]:
        """The names of the parts and the folders, in order."""
        return list(self._parts)

    def __contains__(self, name: str) -> bool:
        return name in self._parts

    def size(self, name: str) -> int:
        """The size that the archive states."""
        return self._parts[name].file_size

    def read(self, name: str) -> bytes:
        """The content of a part. Its actual unpacked size is limited, not the size that the archive states."""
        if name not in self._parts:
            self._fail(f"has no part {name[:80]!r}")
        try:
            with self._archive.open(self._parts[name]) as part:
                content = part.read(min(MAX_BYTES, self._source.budget.left) + 1)
        except Exception:  # the errors of zlib, bz2 and lzma for damaged data have no common class
            content = None
        if content is None:
            self._fail("is a damaged or truncated ZIP file")
        if len(content) > MAX_BYTES:
            self._fail(f"has a part that is larger than {MAX_BYTES} bytes")
        self._source.budget.spend(len(content), self._source.where)
        return content

    def write(
        self,
        out: BinaryIO,
        changed: Mapping[str, bytes],
        dropped: Collection[str] = (),
        new_names: Mapping[str, str] | None = None,
    ) -> None:
        """Write the package with new contents and names of some parts, without some parts, and without comments."""
        with zipfile.ZipFile(out, "w") as copy:
            for name, info in self._parts.items():
                if name in dropped:
                    continue
                new = zipfile.ZipInfo((new_names or {}).get(name, name), info.date_time)
                new.compress_type = info.compress_type
                new.external_attr = info.external_attr
                new.create_system = info.create_system
                content = b"" if info.is_dir() else changed[name] if name in changed else self.read(name)
                copy.writestr(new, content)

    def _fail(self, problem: str) -> NoReturn:
        raise FormatError(problem, where=self._source.where)


def is_side_file(name: str) -> bool:
    """Whether it is a file that macOS or Windows puts beside others, with previews and comments."""
    path = PurePosixPath(name)
    return path.parts[:1] == ("__MACOSX",) or path.name.startswith("._") or path.name.lower() in _SIDE_FILES
