"""Files and folders for every format: strict reading, atomic writing, and document ids that are relative paths.

The id of a document read from a single file is the file's stem. In a folder it is the path relative to the folder, with
`/` and without the suffix, so that writing keeps the folders and two files never share an id.
"""

from __future__ import annotations

import heapq
import os
import secrets
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.errors import FormatError, OutputError

MAX_BYTES = 64 * 1024 * 1024
"""The maximum size of one document: thousands of times the length of a long clinical text."""
OWN_FILES = ".nadie-"
"""How the hidden files begin that nadie itself writes into output folders."""
_NAMES_AT_ONCE = 50_000


class Walk(NamedTuple):
    """The files found: ids with their files, in order, and errors for the folders that could not be listed."""

    files: list[tuple[str, Path]]
    errors: list[FormatError]


def walk(path: Path, suffixes: Iterable[str]) -> Walk:
    """`path` itself if it is a file, else the files below it that have one of the suffixes.

    Names that begin with a dot are skipped, and links to folders are not followed.
    """
    try:
        if path.is_file():
            return Walk([(path.stem, path)], [])
        if not path.is_dir():
            raise FormatError("there is no such file or folder", where=str(path))
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", where=str(path)) from None
    errors: list[FormatError] = []
    wanted = {suffix.lower() for suffix in suffixes}
    found = [file for file in visible_files(path, errors) if file.suffix.lower() in wanted and file.is_file()]
    return Walk(sorted((file.relative_to(path).as_posix().removesuffix(file.suffix), file) for file in found), errors)


def visible_files(path: Path, errors: list[FormatError]) -> Iterator[Path]:
    """All files below a folder, except names that begin with a dot; `errors` gets the folders that cannot be listed."""

    def note(error: OSError) -> None:
        errors.append(FormatError(f"cannot be listed ({error.strerror})", where=str(error.filename or path)))

    for folder, subfolders, names in os.walk(path, onerror=note):
        subfolders[:] = [name for name in subfolders if not name.startswith(".")]
        yield from (Path(folder, name) for name in names if not name.startswith("."))


def in_order(
    folder: Path, passed_over: Callable[[str], None] = lambda path: None
) -> Iterator[tuple[str, Path] | FormatError]:
    """All visible files below a folder with their relative paths, in the order of the paths, or errors.

    `passed_over` is called with names that begin with a dot and with links to folders. Only some names are in memory at
    a time: a folder with millions of files is listed several times.
    """
    open_folders = [_entries(folder, "", passed_over)]
    while open_folders:
        found = next(open_folders[-1], None)
        if found is None:
            open_folders.pop()
        elif isinstance(found, tuple) and found[0].endswith("/"):
            open_folders.append(_entries(found[1], found[0], passed_over))
        else:
            yield found


def _entries(folder: Path, prefix: str, passed_over: Callable[[str], None]) -> Iterator[tuple[str, Path] | FormatError]:
    """The files and folders in a folder, sorted; the name of a folder ends with a slash."""
    last = ""

    def read(entry: os.DirEntry[str]) -> bool:
        is_folder_link = entry.is_symlink() and entry.is_dir()
        is_read = not entry.name.startswith(".") and not is_folder_link
        if not is_read and not last:
            passed_over(prefix + entry.name)
        return is_read

    while True:
        try:
            with os.scandir(folder) as entries:
                names = (entry.name + "/" if entry.is_dir() else entry.name for entry in entries if read(entry))
                some = heapq.nsmallest(_NAMES_AT_ONCE, (name for name in names if name > last))
        except OSError as error:
            yield FormatError(f"cannot be listed ({error.strerror})", where=str(error.filename or folder))
            return
        yield from ((prefix + name, folder / name) for name in some)
        if len(some) < _NAMES_AT_ONCE:
            return
        last = some[-1]


def read_bytes(path: Path) -> bytes:
    """The bytes of a regular file of at most `MAX_BYTES`."""
    try:
        if not path.is_file():
            raise FormatError("is not a file" if path.exists() else "there is no such file", where=str(path))
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", where=str(path)) from None
    if len(content) > MAX_BYTES:
        raise FormatError(f"is larger than {MAX_BYTES} bytes", where=str(path))
    return content


def decode(content: bytes, where: str, line: int | None = None, *, encoding: str = "utf-8") -> str:
    """Decode strictly, as UTF-8 by default, without translating newlines or removing a byte-order mark.

    `line` is given when `content` is one line of a larger file.
    """
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        at = error.start
    # Raised outside the handler, because the decoding error contains the bytes of the document.
    raise FormatError(f"is not {encoding.upper()}", where=where, line=line or content.count(b"\n", 0, at) + 1)


def encode(text: str, where: str, encoding: str = "utf-8") -> bytes:
    """Encode as UTF-8 or UTF-16, or raise an error if the text has a lone surrogate, which these cannot represent."""
    try:
        return text.encode(encoding)
    except UnicodeEncodeError as error:
        at = error.start
    raise FormatError(f"the character at {at} is a lone surrogate and has no {encoding.upper()}", where=where)


class OutputFiles:
    """The files of documents in an output folder. No id can lead outside it, and no two documents share a file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._taken = BoundedMap()

    def of(self, document: Document, suffix: str) -> Path:
        """The file for that document; call it once for each document."""
        parts = document.id.split("/")
        inside = all(part not in ("", ".", "..") and "\0" not in part and os.sep not in part for part in parts)
        path = self.folder.joinpath(*parts[:-1], parts[-1] + suffix) if inside else self.folder
        # Resolved as well, because a folder of the path may be a link that leads outside. `Path.resolve` fails on a
        # loop.
        if not inside or not Path(os.path.realpath(path.parent)).is_relative_to(os.path.realpath(self.folder)):
            raise OutputError("the document id does not name a file inside the folder", where=document.id)
        if not self._taken.add(document.id + suffix):
            raise OutputError("another document of this run has the same name", where=str(path))
        return path


@contextmanager
def staged(path: Path, mode: int = 0o666) -> Iterator[BinaryIO]:
    """An open file that is moved to `path` when it is complete, or not at all.

    `mode` are the file's permissions, reduced by the umask of the process.
    """
    staging = path.with_name(f".{secrets.token_hex(8)}.part")
    with _as_output_error(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(os.open(staging, os.O_RDWR | os.O_CREAT | os.O_EXCL, mode), "w+b")
    try:
        try:
            yield file
        finally:
            with _as_output_error(path):
                file.close()
        with _as_output_error(path):
            staging.replace(path)
    finally:
        staging.unlink(missing_ok=True)


@contextmanager
def unplaced(folder: Path, mode: int = 0o666) -> Iterator[tuple[BinaryIO, Callable[[Path], None]]]:
    """An open file below `folder`, and the function that sets its path once its content is known."""
    hidden = folder / f".{secrets.token_hex(8)}.whole"
    chosen: list[Path] = []
    try:
        with staged(hidden, mode) as file:
            yield file, chosen.append
        for path in chosen:
            with _as_output_error(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                hidden.replace(path)
    finally:
        with suppress(OSError):
            hidden.unlink()


@contextmanager
def writing(path: Path, mode: int = 0o666) -> Iterator[Callable[[bytes], None]]:
    """Like `staged`, as a function that writes to the file."""
    with staged(path, mode) as file:

        def write(content: bytes) -> None:
            with _as_output_error(path):
                file.write(content)

        yield write


def write_bytes(path: Path, content: bytes, mode: int = 0o666) -> None:
    with writing(path, mode) as write:
        write(content)


@contextmanager
def _as_output_error(path: Path) -> Iterator[None]:
    """Convert an OSError into an OutputError. Only around calls on that file: the caller may raise another OSError."""
    try:
        yield
    except OSError as error:
        raise OutputError(f"cannot be written ({error.strerror})", where=str(path)) from None
