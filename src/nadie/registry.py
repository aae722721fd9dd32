"""A generic registry of entry points. The parts of nadie are registered in the same way as those of third parties.

A package adds a detector, a format, a container or an operator by an entry point in its own metadata
(docs/en/contribute/plugins.md). Nothing is imported until it is looked up by name. Each stage has its own registry:
`detector.py`, `files/format.py`, `files/container.py`, `anonymize/operators/base.py`.
"""

from __future__ import annotations

from functools import cache, cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar, cast

from nadie.errors import ConfigError, UnknownNameError

T = TypeVar("T")


class Registry(Generic[T]):
    """The names of one entry-point group, each loaded on demand."""

    def __init__(self, group: str, kind: str) -> None:
        self.group = group
        self.kind = kind
        self._added: dict[str, T] = {}

    @cached_property
    def _entries(self) -> dict[str, EntryPoint]:
        entries: dict[str, EntryPoint] = {}
        for entry in _installed():
            if entry.group == self.group and entries.setdefault(entry.name, entry).value != entry.value:
                both = f"{entries[entry.name].value} and {entry.value}"
                raise ConfigError(f"two packages register a {self.kind} called {entry.name!r}: {both}")
        return entries

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
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"the {self.kind} {name!r} ({entry.value}) cannot be imported: {error}") from error

    def third_party(self) -> dict[str, T]:
        """What other packages registered, or this process."""
        others = (name for name, entry in self._entries.items() if not entry.value.startswith("nadie."))
        return {name: self.get(name) for name in {**dict.fromkeys(others), **self._added}}

    def version(self, name: str) -> str:
        """The version of the package that registered a name; empty if this process did."""
        entry = self._entries.get(name)
        return entry.dist.version if entry and entry.dist else ""


@cache
def _installed() -> tuple[EntryPoint, ...]:
    """The entry points of all packages. They are read once, because there may be hundreds."""
    found = entry_points()
    return tuple(entry for group in found.groups if group.startswith("nadie.") for entry in found.select(group=group))
