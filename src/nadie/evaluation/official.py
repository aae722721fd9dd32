"""The official MEDDOCAN metrics, exactly as the task's own scorer computes them.

Everything is counted on sets, so a duplicate counts once, and summed over documents before any division
(micro-average). Marimon et al., "Automatic De-Identification of Medical Texts in Spanish", IberLEF 2019.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Set
from dataclasses import dataclass
from itertools import accumulate

from nadie.evaluation.pairing import Pair

Place = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Counts:
    """True positives, false positives and false negatives; ratios with a zero denominator are 0, as in the task."""

    tp: int = 0
    fp: int = 0
    fn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn)

    @property
    def precision(self) -> float:
        return _share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        return _share(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        return _share(2 * self.tp, 2 * self.tp + self.fp + self.fn)


def subtask1(pair: Pair) -> Counts:
    """Subtask 1: the label and both offsets must agree."""
    return _compare(set(pair.expected), set(pair.found))


def by_label(pair: Pair) -> dict[str, Counts]:
    """Subtask 1, by label."""
    labels = {span.label for span in (*pair.expected, *pair.found)}
    return {
        label: _compare(
            {span for span in pair.expected if span.label == label},
            {span for span in pair.found if span.label == label},
        )
        for label in sorted(labels)
    }


def strict(pair: Pair) -> Counts:
    """Subtask 2 strict: both offsets must agree, regardless of the label."""
    return _compare(_places(pair, "gold"), _places(pair, "system"))


def merged(pair: Pair) -> Counts:
    """Subtask 2 merged: spans without alphanumeric characters between them may be joined or split."""
    gold, system = _places(pair, "gold"), _places(pair, "system")
    agreed = (gold & system) | (_merge(gold, pair.text) & _merge(system, pair.text))
    inside = _Cover(agreed)
    return Counts(
        tp=len(agreed),
        fp=sum(not inside.holds(place) for place in system - gold),
        fn=sum(not inside.holds(place) for place in gold - system),
    )


def leak(false_negatives: int, sentences: int) -> float:
    """The leak score of subtask 1: missed spans per sentence."""
    return _share(false_negatives, sentences)


def total(counts: Iterable[Counts]) -> Counts:
    return sum(counts, Counts())


def total_by_label(documents: Iterable[dict[str, Counts]]) -> dict[str, Counts]:
    totals: dict[str, Counts] = defaultdict(Counts)
    for counts in documents:
        for label, count in counts.items():
            totals[label] += count
    return dict(sorted(totals.items()))


class _Cover:
    """Tests in logarithmic time whether a range is within one of many."""

    def __init__(self, places: Iterable[Place]) -> None:
        ordered = sorted(places)
        self._starts = [start for start, _ in ordered]
        self._reach = list(accumulate((end for _, end in ordered), max))

    def holds(self, place: Place) -> bool:
        before = bisect_right(self._starts, place[0])
        return before > 0 and self._reach[before - 1] >= place[1]


def _places(pair: Pair, side: str) -> set[Place]:
    return {(span.start, span.end) for span in (pair.expected if side == "gold" else pair.found)}


def _merge(places: Collection[Place], text: str) -> set[Place]:
    """Join neighbours. Like the official scorer, take the end of the later span even if the earlier one is longer."""
    joined: list[Place] = []
    for start, end in sorted(places):
        if joined and not any(map(str.isalnum, text[joined[-1][1] : start])):
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return set(joined)


def _compare(gold: Set[object], system: Set[object]) -> Counts:
    return Counts(len(gold & system), len(system - gold), len(gold - system))


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0
