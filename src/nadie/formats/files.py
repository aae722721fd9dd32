"""Files and folders under every format: strict reading, atomic writing, and ids that name a place in a folder.

The id of a document read from a single file is the file's stem. In a folder it is the path from the folder, with `/`
and without the suffix, so that writing keeps the folders and two files never share an id.
"""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from nadie.document import Document
from nadie.errors import FormatError

MAX_BYTES = 64 * 1024 * 1024
"""The most that is read as one document. The largest clinical text is a thousandth of it."""


def walk(path: Path, suffixes: Iterable[str]) -> list[tuple[str, Path]]:
    """Ids and files: `path` itself if it is a file, else the files below it with one of the suffixes, in order.

    Names that begin with a dot are passed over, and links to folders are not followed.
    """
    if path.is_file():
        return [(path.stem, path)]
    if not path.is_dir():
        raise FormatError("there is no such file or folder", where=str(path))
    wanted = {suffix.lower() for suffix in suffixes}
    found = [
        file
        for folder, names in _folders(path)
        for file in (folder / name for name in names)
        if file.suffix.lower() in wanted and not file.name.startswith(".") and file.is_file()
    ]
    return sorted((file.relative_to(path).as_posix().removesuffix(file.suffix), file) for file in found)


def _folders(path: Path) -> Iterator[tuple[Path, list[str]]]:
    def refuse(error: OSError) -> None:
        raise FormatError(f"cannot be listed ({error.strerror})", where=str(error.filename or path))

    for folder, subfolders, names in os.walk(path, onerror=refuse):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield Path(folder), names


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of bearable size."""
    try:
        if not path.is_file():
            raise FormatError("there is no such file", where=str(path))
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", where=str(path)) from None
    if len(content) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES} bytes", where=str(path))
    return content


def decode(content: bytes, where: str, line: int | None = None) -> str:
    """Strict UTF-8, nothing translated and no byte-order mark taken away.

    `line` is given when `content` is one line of a larger file.
    """
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        at = error.start
    # Raised out here, because the decoding error holds the bytes of the document.
    raise FormatError("is not UTF-8", where=where, line=line or content.count(b"\n", 0, at) + 1)


def encode(text: str, where: str) -> bytes:
    """UTF-8, or an error where the text holds half of a surrogate pair, which has no UTF-8."""
    try:
        return text.encode("utf-8")
    except UnicodeEncodeError as error:
        at = error.start
    raise FormatError(f"the character at {at} is a lone surrogate and has no UTF-8", where=where)


def target(folder: Path, document: Document, suffix: str) -> Path:
    """The file of that document in `folder`, which no id can lead out of."""
    parts = document.id.split("/")
    inside = all(part not in ("", ".", "..") and "\0" not in part for part in parts)
    path = folder.joinpath(*parts[:-1], parts[-1] + suffix) if inside else folder
    if not inside or not path.resolve().is_relative_to(folder.resolve()):
        raise FormatError(f"the id {document.id[:80]!r} does not name a file inside the folder", where=str(folder))
    return path


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write into that takes its place at `path` when it is complete, or not at all."""
    staging = path.with_name(f".{secrets.token_hex(8)}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with staging.open("xb") as file:
                yield file
            staging.replace(path)
        finally:
            staging.unlink(missing_ok=True)
    except OSError as error:
        raise FormatError(f"cannot be written ({error.strerror})", where=str(path)) from None


def write_bytes(path: Path, content: bytes) -> None:
    with writing(path) as file:
        file.write(content)


def once(documents: Iterable[Document], folder: Path) -> Iterator[Document]:
    """The documents as they come, and an error at the second one of the same id, which would overwrite the first."""
    seen: set[str] = set()
    for document in documents:
        if document.id in seen:
            raise FormatError(f"two documents have the id {document.id[:80]!r}", where=str(folder))
        seen.add(document.id)
        yield document
