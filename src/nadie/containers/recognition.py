"""The format of a file: by its content first, then by its name, unless the user specifies it."""

from __future__ import annotations

import zipfile
from functools import cache

from nadie.containers.base import CONTAINERS, Container, Opened, OpenOptions, damaged
from nadie.containers.encodings import unmarked_utf16
from nadie.containers.source import Source
from nadie.errors import FormatError, MissingExtraError, NadieError
from nadie.formats import signatures

PLAIN = "text"
_TEXT_SUFFIXES = frozenset(("", ".txt"))


def recognise(source: Source) -> str:
    """The kind of a file: a registered container, `text`, or the kind of documents that `nadie.formats` reads.

    Any other file is an error that names the kind, and so is a file whose suffix does not match its content.
    """
    kind = _kind_by_content(source)
    promised = signatures.KINDS_OF_SUFFIX.get(source.suffix)
    if promised and kind not in promised:
        if kind == "zip" and not _is_whole_zip(source):
            raise FormatError(f"is a damaged or truncated {source.suffix} file", where=source.where)
        found = signatures.TITLES[kind] if kind else "plain text"
        raise FormatError(f"is named {source.suffix} but is {found}: rename it or use --from", where=source.where)
    if source.suffix == ".txt":
        return kind or PLAIN  # known not to be a container; asking all containers takes longer than a short text
    if kind in (None, "xml"):  # the content does not determine the format
        return _by_suffix().get(source.suffix, kind or PLAIN)
    return kind


def _kind_by_content(source: Source) -> str | None:
    try:
        with source.open() as file:
            kind = signatures.kind_of(file)
            if kind == "binary" and source.suffix in _TEXT_SUFFIXES:
                file.seek(0)
                return None if unmarked_utf16(file.read(signatures.HEAD_BYTES)) else kind
            return kind
    except OSError as error:
        raise FormatError(f"cannot be read ({error.strerror})", where=source.where) from None


def open_as(kind: str, source: Source, options: OpenOptions) -> Opened:
    """Open the file as a container of that kind; a kind without a container is refused by name."""
    if kind not in CONTAINERS.names():
        raise signatures.refusal(kind, source.where)
    container = CONTAINERS.get(kind)()
    try:
        return container.open(source, options)
    except NadieError:
        raise
    except ModuleNotFoundError as error:
        if container.extra and error.name and not error.name.startswith("nadie"):
            raise MissingExtraError(f"reading {container.title}", container.extra) from None
        raise
    except Exception as error:
        problem = damaged(container.title, source.where, error)
    raise problem


def title_of(kind: str) -> str:
    return CONTAINERS.get(kind).title if kind in CONTAINERS.names() else signatures.TITLES.get(kind, kind)


def _is_whole_zip(source: Source) -> bool:
    with source.open() as file:
        return zipfile.is_zipfile(file)


@cache
def _by_suffix() -> dict[str, str]:
    known: dict[str, type[Container]] = {name: CONTAINERS.get(name) for name in CONTAINERS.names()}
    return {suffix: name for name, each in known.items() for suffix in each.suffixes}
