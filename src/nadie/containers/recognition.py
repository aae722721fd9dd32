"""What a file is taken for: by its content first, then by its name, unless the user says."""

from __future__ import annotations

from functools import cache

from nadie.containers.base import CONTAINERS, Container, Opened, OpenOptions, damaged
from nadie.containers.source import Source
from nadie.errors import FormatError, MissingExtraError, NadieError
from nadie.formats import signatures

PLAIN = "text"


def recognise(source: Source) -> str:
    """The kind of a file: a registered container, `text`, or the kind of documents that `nadie.formats` reads.

    What is none of them is an error that names the kind, and so is a file whose name promises another one.
    """
    with source.open() as file:
        kind = signatures.kind_of(file)
    promised = signatures.KINDS_OF_SUFFIX.get(source.suffix)
    if promised and kind not in promised:
        found = signatures.TITLES[kind] if kind else "plain text"
        raise FormatError(f"is named {source.suffix} but is {found}: rename it or use --from", where=source.where)
    if kind in (None, "xml"):  # the content tells nothing more
        return _by_suffix().get(source.suffix, kind or PLAIN)
    return kind


def open_as(kind: str, source: Source, options: OpenOptions) -> Opened:
    """The file opened as a container of that kind; one that no container reads is refused by name."""
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


@cache
def _by_suffix() -> dict[str, str]:
    known: dict[str, type[Container]] = {name: CONTAINERS.get(name) for name in CONTAINERS.names()}
    return {suffix: name for name, each in known.items() for suffix in each.suffixes}
