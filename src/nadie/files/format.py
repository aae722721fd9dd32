"""The protocol of formats, which read documents from files and write them back, and the guess of a file's format."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

from nadie.bounded import BoundedMap
from nadie.document import Document
from nadie.errors import FormatError
from nadie.files.disk import OutputFiles, Walk, walk
from nadie.files.label_sets import MEDDOCAN, LabelSet
from nadie.registry import Registry

Add = Callable[[Document], None]
_LINE_BYTES = 4096  # more than the length of any first line that is compared


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
    first_line: re.Pattern[str] | None = None
    """The pattern of a first line by which `recognises` tells the format."""

    def recognises(self, file: Path) -> bool:
        """Whether the content of a file with one of `suffixes` shows that it is of this format."""
        if self.first_line is None:
            return False
        try:
            with file.open("rb") as content:
                line = content.readline(_LINE_BYTES)
        except OSError:
            return False
        return self.first_line.fullmatch(line.decode("utf-8", "replace").rstrip("\r\n")) is not None

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


class FileFormat(Format):
    """A format with one document per file, which the subclass reads and writes; `suffix` is that of written files."""

    suffix: str

    def scan(self, path: Path) -> Iterator[Document | FormatError]:
        return scan_files(walk(path, self.suffixes), self.read_file)

    @contextmanager
    def writer(self, folder: Path) -> Iterator[Add]:
        targets = OutputFiles(folder)
        yield lambda document: self.write_file(document, targets.of(document, self.suffix))

    def read_file(self, name: str, file: Path) -> Document:
        """The document of a file; `name` is its id."""
        raise NotImplementedError

    def write_file(self, document: Document, file: Path) -> None:
        raise NotImplementedError


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


FORMATS: Registry[type[Format]] = Registry("nadie.formats", "format")


def guess(path: Path) -> str:
    """The name of the format of a file or a folder: one that recognises the content, otherwise the one of the suffix.

    A file that no format claims is plain text. A folder of several formats is an error, because some files would not be
    read. It has one format if that format accepts the suffixes of all files: texts next to brat annotations are brat.
    """
    known = _registered()
    claims = {
        claim for _, file in walk(path, _suffixes(known)).files for claim in _claims(file, file.suffix.lower(), known)
    }
    shared = {suffix for name, _, _ in claims for suffix in known[name].suffixes[1:]}
    names = {name for name, suffix, recognised in claims if recognised or suffix not in shared}
    if len(names) > 1:
        listed = ", ".join(sorted(names))
        raise FormatError(f"may be read in several formats ({listed}): say which", where=str(path))
    return names.pop() if names else "text"


def guess_named(file: Path, name: str) -> str:
    """The format of a file whose content is at `file` but which has another name."""
    claims = _claims(file, Path(name).suffix.lower(), _registered())
    if len(claims) > 1:
        listed = ", ".join(sorted(claim[0] for claim in claims))
        raise FormatError(f"may be read in several formats ({listed}): say which", where=str(file))
    return claims[0][0] if claims else "text"


def _registered() -> dict[str, Format]:
    return {name: FORMATS.get(name)() for name in FORMATS.names()}


def _suffixes(known: dict[str, Format]) -> frozenset[str]:
    return frozenset(suffix for each in known.values() for suffix in each.suffixes)


def _claims(file: Path, suffix: str, known: dict[str, Format]) -> list[tuple[str, str, bool]]:
    """Name, suffix and whether the content was recognised, for each possible format of the file."""
    takers = {name: each for name, each in known.items() if suffix in each.suffixes}
    recognised = [(name, suffix, True) for name, each in takers.items() if each.recognises(file)]
    return recognised or [(name, suffix, False) for name, each in takers.items() if suffix == each.suffixes[0]]
