"""What went wrong, span by span: each gold span with the system span that meets it best."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate

from nadie.document import Span
from nadie.evaluation.characters import visible
from nadie.evaluation.documents import readable
from nadie.evaluation.pairing import Pair


class ErrorKind(StrEnum):
    """The ways in which a span can be wrong, the gravest first."""

    MISS = "miss"
    WRONG_BOUNDARY = "wrong_boundary"
    WRONG_TYPE_AND_BOUNDARY = "wrong_type_and_boundary"
    WRONG_TYPE = "wrong_type"
    FALSE_ALARM = "false_alarm"


@dataclass(frozen=True, slots=True)
class Match:
    """A gold span and the system's answer to it, either of which may be absent; never both.

    `kind` is None where they agree. `leaked` counts the letters and digits of the gold span that no system span covers.
    `extra` marks a further system span on gold that another span already answers: a fragment or a duplicate.
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


def align(pair: Pair) -> tuple[Match, ...]:
    """Every gold span once, then every system span that answers none of them.

    A gold span is a miss only if no system span touches it, and a system span is a false alarm only if it touches no
    gold: one long span over two gold ones is two wrong boundaries, not a miss, because nothing of it leaks.
    """
    found, expected = _Overlaps(pair.found), _Overlaps(pair.expected)
    covered = visible(pair.text, pair.found)
    matches: list[Match] = []
    used: set[Span] = set()
    for gold in pair.expected:
        system = _best(gold, found.with_(gold))
        if system is not None:
            used.add(system)
        matches.append(Match(gold, system, _kind(gold, system), readable(pair.text, (gold,), covered)))
    for system in pair.found:
        if system not in used:
            touched = _best(system, expected.with_(system))
            matches.append(Match(touched, system, _kind(touched, system), extra=touched is not None))
    return tuple(sorted(matches, key=lambda match: (match.start, match.end, match.extra)))


class _Overlaps:
    """Finds the spans that overlap a given one without looking at all of them."""

    def __init__(self, spans: Sequence[Span]) -> None:
        self._spans = spans
        self._starts = [span.start for span in spans]
        self._reach = list(accumulate((span.end for span in spans), max))

    def with_(self, span: Span) -> list[Span]:
        first = bisect_right(self._reach, span.start)
        stop = bisect_left(self._starts, span.end)
        return [other for other in self._spans[first:stop] if other.overlaps(span)]


def _best(span: Span, others: Sequence[Span]) -> Span | None:
    """The one of the same place and type; else of the same place; else of the same type; else with most in common."""

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
    return ErrorKind.WRONG_TYPE if same_place else ErrorKind.WRONG_TYPE_AND_BOUNDARY
