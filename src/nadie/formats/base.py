"""What a format is: a way to read documents from files and to write them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats.files import Walk

Add = Callable[[Document], None]


class Format(Protocol):
    """One format. `scan` and `read` take a file or a folder of them, recursively; `write` fills a folder.

    What cannot be read or written is a `FormatError` that names the file and the line, and never quotes the text.

    `scan` and `writer` are for a batch that must not stop: `scan` yields the error in the place of the document, and
    the function that `writer` gives raises for the one document it could not write and takes the next. `read` and
    `write` stop at the first error.
    """

    name: str
    suffixes: tuple[str, ...]

    def scan(self, path: Path) -> Iterator[Document | FormatError]: ...

    def read(self, path: Path) -> Iterator[Document]: ...

    def writer(self, folder: Path) -> AbstractContextManager[Add]: ...

    def write(self, documents: Iterable[Document], folder: Path) -> None: ...


def raising(scan: Iterable[Document | FormatError]) -> Iterator[Document]:
    """The documents of a scan, up to the first error, which is raised."""
    for item in scan:
        if isinstance(item, FormatError):
            raise item
        yield item


def scanned(walk: Walk, read_file: Callable[[str, Path], Document]) -> Iterator[Document | FormatError]:
    """One document for each id and file, or the error in its place. The second file of an id is an error."""
    yield from walk.errors
    seen: set[str] = set()
    for name, file in walk.files:
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


def write_all(documents: Iterable[Document], writer: AbstractContextManager[Add]) -> None:
    with writer as add:
        for document in documents:
            add(document)
