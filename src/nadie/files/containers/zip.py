"""ZIP archives of files in any supported format: each is opened by its format, and packed again.

The names of the files are searched as well, word by word. A file that cannot be covered is left out of the copy and
listed as a failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import BinaryIO

from nadie.errors import Failure
from nadie.files.container import Container, Edits, OpenOptions
from nadie.files.containers.members import TextWithMembers
from nadie.files.containers.package import Package, is_side_file
from nadie.files.containers.raw import Range, spliced
from nadie.files.mapped import MappedText, TextBuilder
from nadie.files.source import Source

_BETWEEN = "\0"  # never occurs in a name
_WORD = re.compile(r"[^\W\d_]+|\d+[^\W\d_]?(?![^\W_])|\d+|[^\w\s\0_.,+-]")
_UNSAFE = re.compile(r"[\\/:*?\"<>|\0]")


class _Archive(TextWithMembers):
    """The files of one archive, all held in memory within the limits of the source."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        super().__init__(source, options)
        self._package = Package(source)
        self._left_out: set[str] = set()
        side_files = [name for name in self._package.names if is_side_file(name)]
        self._left_out.update(side_files)
        for name in (name for name in self._package.names if name not in self._left_out):
            content = self._package.read(name)
            if failure := self._members.failure_of(name, content):
                self._left_out.add(name)
                self.account.leave_out(failure, content)
        self.account.remarks.append(f"{len(self._members)} files inside")
        if side_files:
            self.account.remarks.append(f"{len(side_files)} files of the operating system were left out")
        self._raw = _BETWEEN.join(self._package.entries)
        self._text = _words(self._raw)
        self._new_names: dict[str, str] = {}

    def _put(self, edits: Edits) -> None:
        new = spliced(self._raw, self._text, edits, lambda new, _: _UNSAFE.sub("-", new))
        self._new_names = _unique(self._package.entries, new.split(_BETWEEN))

    def _save(self, copies: Mapping[str, bytes], out: BinaryIO) -> None:
        self._package.write(out, copies, self._left_out, self._new_names)

    def _fail_in(self, name: str, failure: Failure) -> None:
        self._left_out.add(name)
        self.account.leave_out(failure)


def _words(names: str) -> MappedText[Range]:
    """The names as a text, one per line, without suffixes, with spaces for the other separators of words."""
    builder: TextBuilder[Range] = TextBuilder()
    start = 0
    for name in names.split(_BETWEEN):
        builder.cut()
        for word in _WORD.finditer(names, start, start + len(name) - len(PurePosixPath(name).suffix)):
            builder.cut(" ")
            builder.add(word[0], word.span())
        start += len(name) + len(_BETWEEN)
    return builder.build("names of files")


def _unique(old: Iterable[str], new: Iterable[str]) -> dict[str, str]:
    """The new names by the old ones, with a number if two became the same."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name, wanted in zip(old, new, strict=True):
        path, number = PurePosixPath(wanted), 2
        while wanted in taken:
            wanted, number = str(path.with_stem(f"{path.stem} ({number})")), number + 1
        found[name] = wanted
        taken.add(wanted)
    return found


class Zip(Container):
    """A ZIP archive that is not a document format such as Word."""

    name = "zip"
    title = "a ZIP archive"
    opened = _Archive
