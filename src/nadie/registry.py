"""A generic registry of entry points. The parts of nadie are registered in the same way as those of third parties.

A package adds a detector, a format or an operator by an entry point in its own metadata:

    [project.entry-points."nadie.detectors"]
    mine = "my_package.detector:MyDetector"

Nothing is imported until it is looked up by name. Each stage has its own registry: `detectors/base.py`,
`formats/base.py`, `anonymize/operators/base.py`.
"""

from __future__ import annotations

from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from nadie.errors import MissingExtraError, UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """The names of one entry-point group, each loaded on demand."""

    def __init__(self, group: str, kind: str) -> None:
        self.group = group
        self.kind = kind
        self._added: dict[str, T] = {}

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in _installed() if entry.group == self.group}

    def add(self, name: str, thing: T) -> None:
        """Register `thing` in this process only, for a notebook or a test."""
        self._added[name] = thing

    def names(self) -> list[str]:
        return sorted({*self._entries, *self._added})

    def get(self, name: str) -> T:
        if name in self._added:
            return self._added[name]
        if name not in self._entries:
            known = ", ".join(self.names()) or "none"
            raise UnknownNameError(f"there is no {self.kind} called {name[:60]!r}; there are: {known}")
        entry = self._entries[name]
        try:
            return cast(T, entry.load())
        except ModuleNotFoundError as error:
            if entry.extras and error.name is not None and not error.name.startswith("nadie"):
                raise MissingExtraError(f"the {self.kind} {name!r}", entry.extras[0]) from error
            raise


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """The entry points of all packages. They are read once, because there may be hundreds."""
    found = entry_points()
    return tuple(entry for group in found.groups if group.startswith("nadie.") for entry in found.select(group=group))
