"""Documents from a path in any registered format, which is guessed if the caller does not name it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.files.format import FORMATS, guess, raising
from nadie.files.label_sets import MEDDOCAN, LabelSet


def read_documents(path: Path, format: str | None = None) -> Iterator[Document]:  # noqa: A002
    """The documents of a file or a folder, recursively; the first error is raised.

    Without `format` it is guessed: see `nadie.files.format.guess`.
    """
    return raising(iter_readable(path, format))


def iter_readable(
    path: Path,
    format: str | None = None,  # noqa: A002
    labels: LabelSet = MEDDOCAN,
) -> Iterator[Document | FormatError]:
    """The documents for a batch that must not stop: errors are yielded in place of documents.

    A path that does not exist, a folder with nothing to read and a folder of several formats are one error each. An
    unregistered format is raised, since it is the caller's mistake and not an error in the data.
    """
    try:
        chosen = FORMATS.get(format or guess(path))()
        chosen.guessed = format is None
        chosen.labels = labels
        count = 0
        for item in chosen.scan(path):
            count += 1
            yield item
        if not count:
            yield FormatError(f"has nothing to read as {chosen.name}", where=str(path))
    except FormatError as error:
        yield error
