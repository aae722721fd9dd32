"""Documents from a path in any registered format, which is guessed if the caller does not name it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from nadie.document import Document
from nadie.errors import FormatError
from nadie.formats import files
from nadie.formats.base import FORMATS, Format, raising
from nadie.formats.label_sets import MEDDOCAN, LabelSet


def read_documents(path: Path, format: str | None = None) -> Iterator[Document]:  # noqa: A002
    """The documents of a file or a folder, recursively; the first error is raised.

    Without `format` it is guessed: see `guess`.
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


def guess(path: Path) -> str:
    """The name of the format of a file or a folder: one that recognises the content, otherwise the one of the suffix.

    A file that no format claims is plain text. A folder of several formats is an error, because some files would not be
    read. It has one format if that format accepts the suffixes of all files: texts next to brat annotations are brat.
    """
    known = _registered()
    claims = {
        claim
        for _, file in files.walk(path, _suffixes(known)).files
        for claim in _claims(file, file.suffix.lower(), known)
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


def suffixes() -> frozenset[str]:
    """The suffixes of all registered formats."""
    return _suffixes(_registered())


def count_documents_files(paths: Iterable[Path]) -> int | None:
    """The number of documents to read, for a progress bar; None if the files would have to be read to count them."""
    total = 0
    for path in paths:
        try:
            chosen = FORMATS.get(guess(path))()
            if not chosen.one_document_per_file:
                return None
            total += len({name for name, _ in files.walk(path, chosen.suffixes).files})
        except FormatError:
            total += 1  # an unreadable path is one failure
    return total


def _registered() -> dict[str, Format]:
    return {name: FORMATS.get(name)() for name in FORMATS.names()}


def _suffixes(known: dict[str, Format]) -> frozenset[str]:
    return frozenset(suffix for each in known.values() for suffix in each.suffixes)


def _claims(file: Path, suffix: str, known: dict[str, Format]) -> list[tuple[str, str, bool]]:
    """Name, suffix and whether the content was recognised, for each possible format of the file."""
    takers = {name: each for name, each in known.items() if suffix in each.suffixes}
    recognised = [(name, suffix, True) for name, each in takers.items() if each.recognises(file)]
    return recognised or [(name, suffix, False) for name, each in takers.items() if suffix == each.suffixes[0]]
