"""The protocol of formats: ways to read documents from files and to write them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats.files import OutputFiles, Walk
from nadie.formats.label_sets import MEDDOCAN, LabelSet
from nadie.registry import Registry

Add = Callable[[Document], None]


class Format(Protocol):
    """One format; inherit from it and register the class as an entry point of the group `nadie.formats`.

    `suffixes` are those of its files. The first is its own: a file with it is taken as this format unless another
    format `recognises` the file. The others are shared, as brat shares `.txt` with plain text. A format that needs an
    optional dependency imports it inside its methods, so that its suffixes are known without it.

    A file that cannot be read or written is a `FormatError` that names the file and the line, and never quotes the
    text. `scan` and `writer` are for a batch that must not stop: `scan` yields the error in place of the document, and
    the function that `writer` returns raises an error for a document it cannot write and then accepts the next. `read`
    and `write` stop at the first error.
    """

    name: str
    suffixes: tuple[str, ...]
    holds_spans: bool = True
    one_document_per_file: bool = True
    guessed: bool = False
    """Whether the format was guessed and not named by the caller: then content of another format is refused."""
    labels: LabelSet = MEDDOCAN
    """The label set of the files, for formats that store spans."""

    def recognises(self, file: Path) -> bool:
        """Whether the content of a file with one of `suffixes` shows that it is of this format."""
        return False

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        """The documents of a file, or of all files below a folder."""
        ...

    def writer(self, folder: Path) -> AbstractContextManager[Add]:
        """A function that writes one document after another into `folder`."""
        raise FormatError(f"the format {self.name} can be read but not written", where=str(folder))

    def read(self, path: Path) -> Iterator[Document]:
        return raising(self.scan(path))

    def write(self, documents: Iterable[Document], folder: Path) -> None:
        with self.writer(folder) as add:
            for document in documents:
                add(document)


def raising(scan: Iterable[Document | FormatError]) -> Iterator[Document]:
    """The documents of a scan, up to the first error, which is raised."""
    for item in scan:
        if isinstance(item, FormatError):
            raise item
        yield item


def scan_files(walk: Walk, read_file: Callable[[str, Path], Document]) -> Iterator[Document | FormatError]:
    """One document for each id and file, or an error in its place. A second file with the same id is an error."""
    yield from walk.errors
    seen: set[str] = set()
    for name, file in walk.files:
        item: Document | FormatError
        if name in seen:
            item = FormatError("another file in the folder gives the same document id", where=str(file))
        else:
            seen.add(name)
            try:
                item = read_file(name, file)
            except FormatError as error:
                item = error
        yield item


def scan_collections(
    walk: Walk, read_file: Callable[[str, Path], Iterable[tuple[int | None, Document | FormatError]]]
) -> Iterator[Document | FormatError]:
    """The documents of files with any number of documents, each with its line, if it has one. A second document with
    the same id is an error.
    """
    yield from walk.errors
    ids = BoundedMap()
    for name, file in walk.files:
        try:
            for line, item in read_file(name, file):
                is_new = not isinstance(item, Document) or ids.add(item.id)
                yield item if is_new else FormatError("the document id was used before", where=str(file), line=line)
        except FormatError as error:
            yield error
        except OSError as error:
            yield FormatError(f"cannot be read ({error.strerror})", where=str(file))


@contextmanager
def write_files(folder: Path, suffix: str, write_file: Callable[[Document, Path], None]) -> Iterator[Add]:
    """A writer that writes each document to its own file, named after its id."""
    targets = OutputFiles(folder)
    yield lambda document: write_file(document, targets.of(document, suffix))


FORMATS: Registry[type[Format]] = Registry("nadie.formats", "format")
