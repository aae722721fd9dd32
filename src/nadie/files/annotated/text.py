"""Plain text: one UTF-8 file, one document without spans, written back byte for byte."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path

from nadie.document import Document
from nadie.files import disk as files
from nadie.files.format import FileFormat
from nadie.files.recognition import refuse_other_than_text


@dataclass
class Text(FileFormat):
    """`ID.txt`. Writing keeps the text and drops the spans, which plain text cannot store.

    `mode` are the permissions of the written files, reduced by the umask.
    """

    name = "text"
    suffixes = (".txt",)
    suffix = ".txt"
    holds_spans = False
    mode: int = 0o666

    def read_file(self, name: str, file: Path) -> Document:
        content = files.read_bytes(file)
        if self.guessed:
            refuse_other_than_text(io.BytesIO(content), str(file))
        return Document(name, files.decode(content, str(file)))

    def write_file(self, document: Document, file: Path) -> None:
        files.write_bytes(file, files.encode(document.text, str(file)), self.mode)
