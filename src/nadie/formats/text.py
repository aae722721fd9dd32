"""Plain text: one UTF-8 file, one document without spans, written back byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats import files
from nadie.formats.base import Add, raising, scanned, write_all


class Text:
    """`ID.txt`. Writing keeps the text and drops the spans, which plain text has no place for."""

    name = "text"
    suffixes = (".txt",)

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scanned(files.walk(path, self.suffixes), _read)

    def read(self, path: Path) -> Iterator[Document]:
        return raising(self.scan(path))

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Add]:
        targets = files.Targets(folder)

        def add(document: Document) -> None:
            file = targets.of(document, ".txt")
            files.write_bytes(file, files.encode(document.text, str(file)))

        yield add

    def write(self, documents: Iterable[Document], folder: Path) -> None:
        write_all(documents, self.writer(folder))


def _read(name: str, file: Path) -> Document:
    return Document(name, files.decode(files.read_bytes(file), str(file)))
