"""All exceptions of nadie, and failures: the items of a run that could not be handled.

Messages contain file names, lines, offsets and labels, never document text.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass


class NadieError(Exception):
    """Base of every error that nadie raises on purpose.

    `where` names the item, if the error knows it, and `line` its line. `reason` is the rest of the message: it never
    holds document text or the name of the item. `kind` is the name of the class.
    """

    def __init__(self, reason: str, *, where: str = "", line: int | None = None) -> None:
        self.reason = reason
        self.where = where
        self.line = line
        self.kind = type(self).__name__
        super().__init__(f"{self.place}: {reason}" if where else reason)

    @property
    def place(self) -> str:
        return self.where if self.line is None else f"{self.where}, line {self.line}"

    def __reduce__(self) -> tuple[Callable[..., NadieError], tuple[object, ...]]:
        """Make the error picklable for worker processes, for any constructor parameters."""
        return _restored, (type(self), self.args, self.__dict__)


def _restored(kind: type[NadieError], args: tuple[object, ...], state: dict[str, object]) -> NadieError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(state)
    return error


class SpanError(NadieError):
    """A span that does not fit its document: out of range, empty, or with an unknown label."""


class FormatError(NadieError):
    """A file that cannot be read or written in its format; `where` names it."""

    def __init__(self, reason: str, *, where: str, line: int | None = None) -> None:
        super().__init__(reason, where=where, line=line)


class OutputError(FormatError):
    """A file that cannot be written; `where` is its path in the output."""


class ModelError(NadieError):
    """A model folder that is missing, damaged, or of another version."""


class FeaturesChangedWarning(UserWarning):
    """A model that was trained with other feature code or lists than those of this version."""


class ConfigError(NadieError):
    """An option that does not exist or has an invalid value."""


class CorpusError(NadieError):
    """A corpus that cannot be found, fetched or verified."""


class InterruptedRunError(NadieError):
    """A run that the user interrupted."""


class LeakError(NadieError):
    """A detected value that the engine would have left unchanged."""


class VaultError(NadieError):
    """A vault or an encrypted span that cannot be decrypted: wrong key, truncated file or changed bytes."""


class UnknownNameError(NadieError):
    """A name that is not registered."""


class MissingExtraError(NadieError):
    """A feature whose optional dependency is not installed."""

    def __init__(self, feature: str, extra: str) -> None:
        self.extra = extra
        super().__init__(f"{feature} needs an optional dependency: pip install '{_requirement(extra)}'")


def _requirement(extra: str) -> str:
    """nadie with an extra, from where it was installed (PEP 610), because no index has it."""
    from importlib.metadata import distribution  # takes longer to import than all of this module

    noted = distribution("nadie").read_text("direct_url.json")
    return f"nadie[{extra}] @ {json.loads(noted)['url']}" if noted else f"nadie[{extra}]"


class UnexpectedError(NadieError):
    """An exception of other code. Only the name of its class is kept, because its message may quote the text."""

    def __init__(self, error: Exception, doing: str) -> None:
        super().__init__(f"{type(error).__name__} while {doing}")
        self.kind = type(error).__name__


@dataclass(frozen=True, slots=True)
class Failure:
    """An item that could not be handled: where it is, the reason, and the error that caused it.

    `where` may be the name of a file, which may identify a person. The reason never holds it, nor any document text.
    """

    where: str
    reason: str
    cause: NadieError

    @classmethod
    def of(cls, error: Exception, where: str = "", doing: str = "it was being processed") -> Failure:
        """The failure for an error; `where` is the item if the error names none, and `doing` what was going on."""
        cause = error if isinstance(error, NadieError) else UnexpectedError(error, doing)
        return cls(cause.place or where, cause.reason, cause)

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}" if self.where else self.reason


def printable(message: str) -> str:
    """The message in one line, with control characters escaped as in Python."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in message)
