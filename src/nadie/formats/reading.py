"""Documents from a path, whatever the format: guessed where it is not told."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nadie import registry
from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats import files
from nadie.formats.base import Format, raising

# In this order: brat's texts end in .txt too, so its annotations are looked for first.
_FORMAT_OF_SUFFIX = {".ann": "brat", ".xml": "i2b2", ".jsonl": "jsonl", ".txt": "text"}


def read_documents(path: Path, format: str | None = None) -> Iterator[Document]:  # noqa: A002
    """The documents of a file or a folder, recursively; the first thing that cannot be read is raised.

    Without `format` it is guessed from the suffixes: `.ann` is brat, `.xml` i2b2, `.jsonl` JSONL, all else text.
    """
    return raising(iter_readable(path, format))


def iter_readable(path: Path, format: str | None = None) -> Iterator[Document | FormatError]:  # noqa: A002
    """The same for a batch that must not stop: what cannot be read is yielded as its error, and the rest follows.

    A path that does not exist, a folder with nothing to read and a folder of several formats are one error each. A
    format that is not registered is raised, since that is the caller's mistake and not the data's.
    """
    try:
        form: Format = registry.formats.get(format or guess(path))()
        count = 0
        for item in form.scan(path):
            count += 1
            yield item
        if not count:
            yield FormatError(f"holds nothing to read as {form.name}", where=str(path))
    except FormatError as error:
        yield error


def guess(path: Path) -> str:
    """The name of the format of a file or a folder. A folder of several is an error: some would be left unread."""
    suffixes = {file.suffix.lower() for _, file in files.walk(path, _FORMAT_OF_SUFFIX).files}
    if path.is_file():
        return _FORMAT_OF_SUFFIX.get(path.suffix.lower(), "text")
    if ".ann" in suffixes:
        suffixes.discard(".txt")
    names = [name for suffix, name in _FORMAT_OF_SUFFIX.items() if suffix in suffixes]
    if len(names) > 1:
        raise FormatError(f"holds files of several formats ({', '.join(names)}): say which to read", where=str(path))
    return names[0] if names else "text"
