"""What a format is: a way to read documents from files and to write them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

from nadie.document import Document
from nadie.errors import FormatError


class Format(Protocol):
    """One format. `scan` and `read` take a file or a folder of them; `write` fills a folder.

    What cannot be read is a `FormatError` that names the file and the line, and never quotes the text. `scan` yields
    it in the place of the document and goes on, for a batch that must not stop; `read` raises it.
    """

    name: str
    suffixes: tuple[str, ...]

    def scan(self, path: Path) -> Iterator[Document | FormatError]: ...

    def read(self, path: Path) -> Iterator[Document]: ...

    def write(self, documents: Iterable[Document], folder: Path) -> None: ...


def raising(scanned: Iterable[Document | FormatError]) -> Iterator[Document]:
    """The documents of a scan, up to the first error, which is raised."""
    for item in scanned:
        if isinstance(item, FormatError):
            raise item
        yield item


def scanned(
    found: Iterable[tuple[str, Path]], read_file: Callable[[str, Path], Document]
) -> Iterator[Document | FormatError]:
    """One document for each id and file, or the error in its place. The second file of an id is an error."""
    seen: set[str] = set()
    for name, file in found:
        item: Document | FormatError
        if name in seen:
            item = FormatError("another file beside it gives the same document id", where=str(file))
        else:
            seen.add(name)
            try:
                item = read_file(name, file)
            except FormatError as error:
                item = error
        yield item
