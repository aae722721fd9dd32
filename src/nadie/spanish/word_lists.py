"""Word lists in a package's `data/`: a line has the name of a list and, after a tab, entries with `|` between them."""

from __future__ import annotations

from collections import defaultdict
from functools import cache, cached_property

from nadie.spanish import tables


class Lists:
    """The lists of one file, read when the first one is needed."""

    def __init__(self, name: str, package: str = "nadie.spanish") -> None:
        self._file = f"{name}.tsv"
        self._package = package

    @cached_property
    def _entries(self) -> dict[str, tuple[str, ...]]:
        found: dict[str, list[str]] = defaultdict(list)
        for name, entries in tables.rows(self._file, self._package):
            found[name] += entries.split("|")
        return {name: tuple(entries) for name, entries in found.items()}

    def __getitem__(self, name: str) -> tuple[str, ...]:
        return self._entries[name]

    def get(self, name: str) -> tuple[str, ...]:
        """The entries of a list, or none where there is no such list."""
        return self._entries.get(name, ())

    def names(self) -> tuple[str, ...]:
        return tuple(self._entries)

    def words(self, name: str) -> frozenset[str]:
        """The entries of a list, to look a word up."""
        return _words(self, name)

    def pattern(self, name: str) -> str:
        """The entries as a group of alternatives in a regular expression, in the order of the file."""
        return f"(?:{'|'.join(self[name])})"

    def pairs(self, name: str) -> tuple[tuple[str, str], ...]:
        """The entries as pairs, such as the forms of a man and of a woman; without a slash both are the same."""
        return tuple((first, second or first) for first, _, second in (entry.partition("/") for entry in self[name]))


@cache
def _words(lists: Lists, name: str) -> frozenset[str]:
    return frozenset(lists[name])
