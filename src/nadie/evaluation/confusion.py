"""Which type became which, and what was missed or found where nothing is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from nadie.evaluation.alignment import ErrorKind, Match
from nadie.labels import Label

_ORDER = {label: i for i, label in enumerate(Label)}


@dataclass(frozen=True)
class Confusion:
    """`cells[gold, system]` counts spans; None stands for "nothing" on either side.

    A row sums to the gold spans of its type. The row None holds the false alarms, the column None the misses.
    System spans that are fragments or duplicates of an answered gold span are in no cell, only in `kinds`.
    """

    cells: Mapping[tuple[str | None, str | None], int]
    kinds: Mapping[ErrorKind, int]

    @property
    def labels(self) -> tuple[str, ...]:
        """The types that occur, in the order of the task's table."""
        seen = {label for cell in self.cells for label in cell if label is not None}
        return tuple(sorted(seen, key=lambda label: _ORDER[Label(label)]))

    def row(self, gold: str | None) -> int:
        return sum(count for (label, _), count in self.cells.items() if label == gold)


def confusion(matches: Iterable[Match]) -> Confusion:
    cells: Counter[tuple[str | None, str | None]] = Counter()
    kinds: Counter[ErrorKind] = Counter(dict.fromkeys(ErrorKind, 0))
    for match in matches:
        if match.kind is not None:
            kinds[match.kind] += 1
        if not match.extra:
            cells[match.gold.label if match.gold else None, match.system.label if match.system else None] += 1
    return Confusion(MappingProxyType(dict(cells)), MappingProxyType(dict(kinds)))
