"""Operating points: leaks and unnecessary masking at every threshold on the score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nadie.document import Span
from nadie.evaluation.pairing import Pair
from nadie.evaluation.statistics import Array

_POINTS = 200


@dataclass(frozen=True, slots=True)
class OperatingPoint:
    """The result if only spans with a score of at least `threshold` are kept."""

    threshold: float
    character_recall: float
    character_precision: float
    false_alarms_per_1000_tokens: float
    safe_documents: float


def has_scores(pairs: Sequence[Pair]) -> bool:
    """Whether the system's scores differ, so that a threshold would have an effect."""
    scores = {span.score for pair in pairs for span in pair.found}
    return len(scores) > 1


def curve(pairs: Sequence[Pair], token_count: int) -> tuple[OperatingPoint, ...]:
    """An operating point for each score that occurs, from the lowest threshold up; thinned out if there are many.

    False alarms are spans that overlap no gold span. A threshold keeps or drops whole spans and does not change others.
    """
    levels = [_levels(pair) for pair in pairs]
    gold = np.sort(np.concatenate([level.gold for level in levels]))
    outside = np.sort(np.concatenate([level.outside for level in levels]))
    alarms = np.sort(np.concatenate([level.alarms for level in levels]))
    weakest = np.sort(np.array([level.weakest for level in levels]))
    points = []
    for threshold in _thresholds(pairs):
        covered, beside = _at_least(gold, threshold), _at_least(outside, threshold)
        points.append(
            OperatingPoint(
                threshold=threshold,
                character_recall=covered / gold.size if gold.size else 1.0,
                character_precision=covered / (covered + beside) if covered + beside else 1.0,
                false_alarms_per_1000_tokens=1000 * _at_least(alarms, threshold) / max(token_count, 1),
                safe_documents=_at_least(weakest, threshold) / len(pairs),
            )
        )
    return tuple(points)


@dataclass(frozen=True)
class _Levels:
    """The highest threshold at which each part of a document is still covered; -1 if it never is."""

    gold: Array
    outside: Array
    alarms: Array
    weakest: float


def _levels(pair: Pair) -> _Levels:
    reach: dict[int, float] = {}
    for span in pair.found:
        for i in range(span.start, span.end):
            if not pair.text[i].isspace():
                reach[i] = max(reach.get(i, -1.0), span.score)
    gold = {i for span in pair.expected for i in range(span.start, span.end) if not pair.text[i].isspace()}
    return _Levels(
        gold=np.array([reach.get(i, -1.0) for i in sorted(gold)], dtype=np.float64),
        outside=np.array([score for i, score in reach.items() if i not in gold], dtype=np.float64),
        alarms=np.array([span.score for span in pair.found if not _touches(span, gold)], dtype=np.float64),
        weakest=min((reach.get(i, -1.0) for i in gold if pair.text[i].isalnum()), default=1.0),
    )


def _touches(span: Span, gold: set[int]) -> bool:
    return any(i in gold for i in range(span.start, span.end))


def _thresholds(pairs: Sequence[Pair]) -> list[float]:
    scores = np.unique([span.score for pair in pairs for span in pair.found])
    if scores.size > _POINTS:
        scores = scores[np.linspace(0, scores.size - 1, _POINTS).round().astype(int)]
    return [float(score) for score in scores]


def _at_least(ordered: Array, threshold: float) -> int:
    return int(ordered.size - np.searchsorted(ordered, threshold, side="left"))
