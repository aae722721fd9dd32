"""Spending what an adapted model gains in precision on fewer misses: a leak is worse than a false alarm.

The bias towards PHI is raised as far as notes that the model has not seen stay as precise as they were.
"""

from __future__ import annotations

from collections.abc import Mapping, Set

from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.leaks import CharacterCounts

STEPS = (0.0, 0.25, 0.5, 0.75, 1.0, 1.5)
_TOLERATED = 0.005


def affordable(
    trials: Mapping[float, Evaluation], before: Evaluation, left_out: Set[str] = frozenset(), tolerated: float = 0.0
) -> float:
    """The highest bias of the trials that is as precise as the base was, without some notes; 0 if there is none."""
    goal = _precision(before, left_out) - tolerated
    return max((bias for bias, trial in trials.items() if _precision(trial, left_out) >= goal), default=0.0)


def remembered(trials: Mapping[float, Evaluation], before: Evaluation) -> float:
    """The highest bias of the trials on notes of other kinds that is nearly as precise as the base was."""
    return affordable(trials, before, tolerated=_TOLERATED)


def _precision(evaluation: Evaluation, left_out: Set[str]) -> float:
    counts = (each.characters for each in evaluation.documents if each.id not in left_out)
    return sum(counts, CharacterCounts()).precision
