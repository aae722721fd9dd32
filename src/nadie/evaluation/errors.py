"""Errors, span by span: each gold span with the system span that matches it best, and the confusion of labels."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate
from types import MappingProxyType

from nadie.document import Span
from nadie.evaluation.leaks import readable, visible
from nadie.evaluation.pairing import Pair
from nadie.labels import Label

_ORDER = {label: i for i, label in enumerate(Label)}


class ErrorKind(StrEnum):
    """The types of errors of a span, the most severe first."""

    MISS = "miss"
    WRONG_BOUNDARY = "wrong_boundary"
    WRONG_LABEL_AND_BOUNDARY = "wrong_label_and_boundary"
    WRONG_LABEL = "wrong_label"
    FALSE_ALARM = "false_alarm"


@dataclass(frozen=True, slots=True)
class SpanMatch:
    """A gold span and the matching system span; one of them may be absent, but not both.

    `kind` is None if they agree. `leaked` is the number of letters and digits of the gold span that no system span
    covers. `extra` marks a further system span on a gold span that is already matched: a fragment or a duplicate.
    """

    gold: Span | None
    system: Span | None
    kind: ErrorKind | None
    leaked: int = 0
    extra: bool = False

    @property
    def start(self) -> int:
        return min(span.start for span in (self.gold, self.system) if span)

    @property
    def end(self) -> int:
        return max(span.end for span in (self.gold, self.system) if span)


def align(pair: Pair) -> tuple[SpanMatch, ...]:
    """Every gold span once, then every system span that matches none of them.

    A gold span is a miss only if no system span overlaps it, and a system span is a false alarm only if it overlaps no
    gold span: one long span over two gold spans is two wrong boundaries, not a miss, because nothing of it leaks.
    """
    found, expected = _Overlaps(pair.found), _Overlaps(pair.expected)
    covered = visible(pair.text, pair.found)
    matches: list[SpanMatch] = []
    used: set[Span] = set()
    for gold in pair.expected:
        system = _best(gold, found.with_(gold))
        if system is not None:
            used.add(system)
        matches.append(SpanMatch(gold, system, _kind(gold, system), readable(pair.text, (gold,), covered)))
    for system in pair.found:
        if system not in used:
            touched = _best(system, expected.with_(system))
            matches.append(SpanMatch(touched, system, _kind(touched, system), extra=touched is not None))
    return tuple(sorted(matches, key=lambda match: (match.start, match.end, match.extra)))


class _Overlaps:
    """Finds the spans that overlap a given one without comparing all of them."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]
        self._reach = list(accumulate((span.end for span in spans), max))

    def with_(self, span: Span) -> list[Span]:
        first = bisect_right(self._reach, span.start)
        stop = bisect_left(self._starts, span.end)
        return [other for other in self._spans[first:stop] if other.overlaps(span)]


def _best(span: Span, others: Sequence[Span]) -> Span | None:
    """The span with the same offsets and label; else the same offsets; else the same label; else most overlap."""

    def likeness(other: Span) -> tuple[bool, bool, bool, int, int]:
        same_place = (other.start, other.end) == (span.start, span.end)
        common = min(span.end, other.end) - max(span.start, other.start)
        return other == span, same_place, other.label == span.label, common, -other.start

    return max(others, key=likeness, default=None)


def _kind(gold: Span | None, system: Span | None) -> ErrorKind | None:
    if gold is None:
        return ErrorKind.FALSE_ALARM
    if system is None:
        return ErrorKind.MISS
    same_place = (gold.start, gold.end) == (system.start, system.end)
    if gold.label == system.label:
        return None if same_place else ErrorKind.WRONG_BOUNDARY
    return ErrorKind.WRONG_LABEL if same_place else ErrorKind.WRONG_LABEL_AND_BOUNDARY


@dataclass(frozen=True)
class Confusion:
    """`cells[gold, system]` counts spans; None means "no span" on either side.

    A row sums to the gold spans of its label. The row None has the false alarms, the column None the misses. System
    spans that are fragments or duplicates of a matched gold span are in no cell, only in `kinds`.
    """

    cells: Mapping[tuple[str | None, str | None], int]
    kinds: Mapping[ErrorKind, int]

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that occur, in the order of the task's table."""
        seen = {label for cell in self.cells for label in cell if label is not None}
        return tuple(sorted(seen, key=lambda label: (_ORDER.get(Label(label), len(_ORDER)), label)))

    def row(self, gold: str | None) -> int:
        return sum(count for (label, _), count in self.cells.items() if label == gold)


def confusion(matches: Iterable[SpanMatch]) -> Confusion:
    cells: Counter[tuple[str | None, str | None]] = Counter()
    kinds: Counter[ErrorKind] = Counter(dict.fromkeys(ErrorKind, 0))
    for match in matches:
        if match.kind is not None:
            kinds[match.kind] += 1
        if not match.extra:
            cells[match.gold.label if match.gold else None, match.system.label if match.system else None] += 1
    return Confusion(MappingProxyType(dict(cells)), MappingProxyType(dict(kinds)))
