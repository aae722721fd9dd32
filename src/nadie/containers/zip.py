"""ZIP archives of files of any kind that is read, mirrored: each is opened as what it is, and packed again.

A file that cannot be covered is left out of the copy and listed as a failure.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, BinaryIO

from nadie.containers.base import Account, Container, Edits, Opened, OpenOptions, Uncovered, damaged
from nadie.containers.mapped import MappedText
from nadie.containers.package import Package
from nadie.containers.recognition import open_as, recognise, title_of
from nadie.containers.source import Source
from nadie.errors import FormatError, NadieError


class Zip(Container):
    """A ZIP archive that is no document of its own, as a Word document is."""

    name = "zip"
    title = "a ZIP archive"

    def open(self, source: Source, options: OpenOptions) -> Opened:
        return _Archive(source, options)


class _Archive:
    """The files of one archive. All are held in memory, which the limits of the source allow."""

    def __init__(self, source: Source, options: OpenOptions) -> None:
        self.account = Account()
        self._package = Package(source)
        self._source = source
        self._left_out: set[str] = set()
        self._members: list[tuple[str, Opened, list[MappedText[Any]]]] = []
        for name in self._package.names:
            self._add(name, options)
        counts = f"{len(self._members)} files inside"
        self.account.remarks.append(counts)

    def texts(self) -> Iterator[MappedText[Any]]:
        for name, _, texts in self._members:
            for text in texts:
                yield replace(text, name=f"{name}#{text.name}" if text.name else name)

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        changed: dict[str, bytes] = {}
        for name, opened, texts in self._members:
            of_member = [next(edits) for _ in texts]
            copy = io.BytesIO()
            try:
                opened.write(iter(of_member), copy)
            except NadieError as error:
                self._leave_out(name, str(error))
                continue
            changed[name] = copy.getvalue()
            self.account.uncovered += [Uncovered(f"{name}, {place}", why) for place, why in opened.account.uncovered]
            self.account.failures += opened.account.failures
        self._package.write(out, changed, self._left_out)

    def _add(self, name: str, options: OpenOptions) -> None:
        """Open a file of the archive and read it to its end, so that what is wrong with it is known."""
        title = ""
        try:
            inner = self._source.inside(name, self._package.read(name))
            kind = recognise(inner)
            title = title_of(kind)
            opened = open_as(kind, inner, options)
            self._members.append((name, opened, list(opened.texts())))
        except FormatError as error:
            if error.where == self._source.where:  # the archive itself: damaged, too large, too deep
                raise
            self._leave_out(name, str(error))
        except NadieError as error:
            self._leave_out(name, str(error))
        except Exception as error:
            self._leave_out(name, str(damaged(title, f"{self._source.where}!{name}", error)))

    def _leave_out(self, name: str, problem: str) -> None:
        self._left_out.add(name)
        self.account.failures.append(f"{problem}; it is left out of the copy")
