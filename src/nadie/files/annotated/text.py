"""Plain text: one UTF-8 file, one document without spans, written back byte for byte."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files import disk as files
from nadie.files.format import Add, Format, scan_files, write_files
from nadie.files.signatures import refuse_other_than_text


@dataclass
class Text(Format):
    """`ID.txt`. Writing keeps the text and drops the spans, which plain text cannot store.

    `mode` are the permissions of the written files, reduced by the umask.
    """

    name = "text"
    suffixes = (".txt",)
    holds_spans = False
    mode: int = 0o666

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_files(files.walk(path, self.suffixes), _read_if_text if self.guessed else _read)

    def writer(self, folder: Path) -> AbstractContextManager[Add]:
        return write_files(folder, ".txt", partial(_write, mode=self.mode))


def _read_if_text(name: str, file: Path) -> Document:
    content = files.read_bytes(file)
    refuse_other_than_text(io.BytesIO(content), str(file))
    return Document(name, files.decode(content, str(file)))


def _read(name: str, file: Path) -> Document:
    return Document(name, files.decode(files.read_bytes(file), str(file)))


def _write(document: Document, file: Path, *, mode: int) -> None:
    files.write_bytes(file, files.encode(document.text, str(file)), mode)
