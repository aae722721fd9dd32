"""What a format is: a way to read documents from a file and to write them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Protocol

from nadie.document import Document


class Format(Protocol):
    """One format. `read` takes a file or a folder of them; `write` fills a folder.

    What cannot be read is a `FormatError` that names the file and the line, and never quotes the text.
    """

    name: str
    suffixes: tuple[str, ...]

    def read(self, path: Path) -> Iterator[Document]: ...

    def write(self, documents: Iterable[Document], folder: Path) -> None: ...
