"""All exceptions of nadie. Messages contain file names, lines, offsets and labels, never document text."""

from __future__ import annotations

from collections.abc import Callable


class NadieError(Exception):
    """Base of every error that nadie raises on purpose."""

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
    """A file that cannot be read or written in its format.

    `where` names the file, and `line` the line when the format has lines.
    """

    def __init__(self, message: str, *, where: str, line: int | None = None) -> None:
        self.where = where
        self.line = line
        place = where if line is None else f"{where}, line {line}"
        super().__init__(f"{place}: {message}")


class ModelError(NadieError):
    """A model folder that is missing, damaged, or of another version."""


class FeaturesChangedWarning(UserWarning):
    """A model that was trained with other feature code or lists than those of this version."""


class ConfigError(NadieError):
    """An option that does not exist or has an invalid value."""


class CorpusError(NadieError):
    """A corpus that cannot be found, fetched or verified."""


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
        super().__init__(f"{feature} needs an optional dependency: pip install 'nadie[{extra}]'")
