"""The protocol of containers: files that hold texts among other things, and can be copied with the texts changed.

A container says of each of its strings what it is:

- prose is searched: it is added to a text without a label;
- a value is replaced as a whole, as a cell or a field: it is added to a text with its label;
- a name or a reference that a program resolves, and a word of a fixed list, is in no text. It is kept if it identifies
  nobody; otherwise it gets a number, together with everything that refers to it (`nadie.files.containers.names`).

So any word of a text may be replaced by any other, and the copy still opens and its links lead where they led.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pkgutil import resolve_name
from secrets import token_bytes
from typing import Any, BinaryIO, Generic, NamedTuple, Protocol, TypeVar, cast

from nadie.errors import Failure, FormatError, NadieError
from nadie.files.mapped import Edit, MappedText
from nadie.files.signatures import format_of
from nadie.files.source import Source
from nadie.options import Images
from nadie.registry import Registry

LINKS = "ids that link records"
"""The purpose of the key for new ids that is derived from the key of a run; see `OpenOptions`."""

SCAN = {"scan": "yes"}
"""The meta entry of documents whose text was read from pixels."""

_LOGO_BYTES = 64 * 1024

A = TypeVar("A")
Edits = Sequence[Edit]


@dataclass(frozen=True, slots=True)
class OpenOptions:
    """How to open containers. `columns` of tables: NAME for free text, NAME=LABEL if every cell has that label.

    `keep_columns` are columns that stay as they are. `patient_column` identifies the patient of each row; it is
    replaced too, unless it is kept. What is done with every other column is decided by its name and content.

    `images` says what to do with images that may show text, such as scanned pages. In pages that are read, bar codes,
    photos, signatures, stamps and handwriting are painted over, too, unless `keep_graphics`, and with `write_in_boxes`
    the replacements are written where the originals were. `secret` is the key for new ids that
    link records, such as the UIDs of DICOM; it is derived from the key of the run, or random.
    """

    columns: tuple[str, ...] = ()
    patient_column: str = ""
    keep_columns: tuple[str, ...] = ()
    images: Images = Images.READ
    secret: bytes = field(default_factory=partial(token_bytes, 32), repr=False, compare=False)
    keep_graphics: bool = False
    write_in_boxes: bool = False


class Uncovered(NamedTuple):
    """A part of a container that was not searched, and the reason. It is listed in the summary."""

    place: str
    reason: str


@dataclass
class Account:
    """The entry of a file in the summary: remarks, parts that could not be covered, and failures inside it.

    A warning is about something that may identify a person and stays because the user wants it; the exit code is 1.
    """

    remarks: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    uncovered: list[Uncovered] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)

    def leave_out(self, failure: Failure, content: bytes = b"") -> None:
        """Add the failure of an inner file, which is left out of the copy. A small image, such as a logo, is listed."""
        if len(content) < _LOGO_BYTES and format_of(io.BytesIO(content)) == "image":
            self.uncovered.append(Uncovered(failure.where.rpartition("!")[2], "a small image, left out of the copy"))
            return
        self.failures.append(replace(failure, reason=f"{failure.reason}; it is left out of the copy"))


class Opened(Protocol):
    """An open container. `texts` is iterated once, and `write` receives the edits of each text, in the same order.

    A container for files of any size reads in `texts` and writes in `write` on demand, and holds only the data in
    between: texts may be read far ahead of the edits. `account` is complete after `write`.
    """

    account: Account

    def texts(self) -> Iterator[MappedText[Any]]: ...

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        """Write the copy, with everything that was not edited unchanged.

        None means that a text could not be anonymized: leave it out and list it, or let `needed` raise an error.
        """
        ...


class Container(Protocol):
    """One format; inherit from it and register the class as an entry point of the group `nadie.containers`.

    The name of a built-in container is the kind of file in `nadie.files.signatures`, which recognises files by their
    content. A container of another package declares `starts`, the first bytes of its files, which a binary format
    needs, or `suffixes`, or both: then its files must have both. `suffixes` alone are for formats that cannot be
    recognised by content (CSV). `opened` is the class of open containers, unless `open` is overridden.
    A format that needs an optional dependency names its `extra`, and gives `opened` as a string, "module:name", so that
    the module is imported when a file is opened.

    A file that cannot be opened, covered or written is a `FormatError` that names the place and never quotes the text.
    Any other exception is converted to one: the file counts as damaged.
    """

    name: str
    title: str
    suffixes: tuple[str, ...] = ()
    starts: tuple[bytes, ...] = ()
    extra: str = ""
    unit: str = "text"
    """What a text of the container is, for the summary."""
    opened: Callable[[Source, OpenOptions], Opened] | str | None = None

    def open(self, source: Source, options: OpenOptions) -> Opened:
        if self.opened is None:
            raise NotImplementedError(f"the container {self.name} has neither `opened` nor `open`")
        opened = resolve_name(self.opened) if isinstance(self.opened, str) else self.opened
        return cast(Opened, opened(source, options))


@dataclass
class OneText(Generic[A]):
    """An open container with one text, held in memory, which is enough for most formats.

    `rewritten` returns the bytes of the copy, from the edits of the text.
    """

    text: MappedText[A]
    rewritten: Callable[[Edits], bytes]
    account: Account = field(default_factory=Account)

    def texts(self) -> Iterator[MappedText[A]]:
        yield self.text

    def write(self, edits: Iterator[Edits | None], out: BinaryIO) -> None:
        out.write(self.rewritten(needed(next(edits))))


class NotAnonymizedError(NadieError):
    """A text that could not be anonymized, in a container that cannot be written without it."""


def needed(edits: Edits | None) -> Edits:
    """The edits of a text without which the copy cannot be written."""
    if edits is None:
        raise NotAnonymizedError("a text in it could not be anonymized")
    return edits


CONTAINERS: Registry[type[Container]] = Registry("nadie.containers", "container")


def damaged(title: str, where: str, error: Exception) -> FormatError:
    """The error for an exception of a parser, whose message may quote the text: only its type is named."""
    return FormatError(f"cannot be read as {title}: it is damaged ({type(error).__name__})", where=where)
