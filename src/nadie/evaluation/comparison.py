"""Two systems on the same documents: how far apart they are, and whether that could be chance."""

from __future__ import annotations

from dataclasses import dataclass

from nadie.errors import CorpusError
from nadie.evaluation.bootstrap import Interval, difference_intervals
from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.measures import quotients
from nadie.evaluation.significance import p_values


@dataclass(frozen=True, slots=True)
class Difference:
    """One score of two systems. `p` is that of a paired approximate-randomisation test, uncorrected for several tests.

    `one` and `other` are None where a system has nothing to divide by.
    """

    one: float | None
    other: float | None
    difference: float | None
    interval: Interval | None
    p: float


def compare(one: Evaluation, other: Evaluation) -> dict[str, Difference]:
    """Each score of `measures.OVERALL`, with `other` minus `one`."""
    if [document.id for document in one.documents] != [document.id for document in other.documents]:
        raise CorpusError("the two systems were not evaluated on the same documents")
    ours, theirs = one.measures, other.measures
    first = quotients(ours.numerators.sum(0), ours.denominators.sum(0)).tolist()
    second = quotients(theirs.numerators.sum(0), theirs.denominators.sum(0)).tolist()
    spread = difference_intervals(ours, theirs, seed=one.seed)
    chance = p_values(ours, theirs, seed=one.seed)
    return {
        name: Difference(_known(a), _known(b), _known(b - a), spread[name], chance[name])
        for name, a, b in zip(ours.names, first, second, strict=True)
    }


def _known(score: float) -> float | None:
    return None if score != score else score
