"""How many identifiers were probably missed in a release, by label, with bounds.

The detector is run on the output in its balanced mode and in recall mode. What only recall mode finds is an identifier
with a probability that was measured on annotated notes, by class of label and score (single labels are too rare there);
what not even recall mode finds is
estimated by its share of the misses in the same notes (`benchmarks/expected_misses.py`). The bounds are those of the
measured shares (Wilson, 95 %) and of the chance of a Poisson count. They do not tell how unlike the notes are: a
reviewed sample of one's own notes does.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import sqrt
from typing import Any, NamedTuple

from nadie.document import Span
from nadie.labels import Label

KEPT = (Label.SEXO_SUJETO_ASISTENCIA, Label.PAIS, Label.FAMILIARES_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA)
"""Labels whose values mostly stay on purpose: what is left of them is not counted as missed."""
_STEPS = (0.2, 0.4)
_Z = 1.96


class Estimate(NamedTuple):
    """An expected number and its bounds."""

    expected: float
    low: float
    high: float


def bin_of(score: float) -> int:
    return sum(score >= step for step in _STEPS)


def only_in_recall_mode(found: Sequence[Span], possible: Iterable[Span]) -> list[Span]:
    """The spans of recall mode that overlap none of the balanced mode."""
    taken = {at for span in found for at in range(span.start, span.end)}
    return [span for span in possible if taken.isdisjoint(range(span.start, span.end))]


class Misses:
    """Counts what only recall mode finds in the documents of a release; `second` if a second detector was used."""

    def __init__(self, *, second: bool, table: dict[str, Any] | None = None) -> None:
        """Use the shipped table, or one of the same form."""
        self._table: dict[str, Any] = table or _tables()["two" if second else "one"]
        self._counts: dict[Label, Counter[int]] = defaultdict(Counter)

    def add(self, found: Sequence[Span], possible: Iterable[Span]) -> None:
        for span in only_in_recall_mode(found, possible):
            self._counts[Label(span.label)][bin_of(span.score)] += 1

    def estimates(self) -> dict[Label, Estimate]:
        """The expected number of missed identifiers by label; labels of classes that were not measured are left out."""
        measured = (label for label in Label if label.parent in self._table and label not in KEPT)
        return {label: self._estimate(label.parent, self._counts[label]) for label in measured}

    def of_class(self, name: str) -> Estimate:
        """The expected number of missed identifiers of a class of labels, such as NAME."""
        counts = (self._counts[label] for label in Label if label.parent == name)
        return self._estimate(name, sum(counts, Counter()))

    def _estimate(self, name: str, counts: Counter[int]) -> Estimate:
        measured = self._table[name]
        beyond = 1.0 + measured["unseen"] / max(1, measured["seen"])
        shares = [_wilson(*pair) for pair in measured["bins"]]
        expected, low, high = (
            beyond * sum(counts[place] * share[bound] for place, share in enumerate(shares)) for bound in range(3)
        )
        return Estimate(expected, max(0.0, low - _Z * sqrt(low)), high + _Z * sqrt(high + 1.0))


def _wilson(right: int, total: int) -> Estimate:
    """The share, and its interval of Wilson (1927)."""
    if not total:
        return Estimate(0.0, 0.0, 1.0)
    share, spread = right / total, _Z * _Z / total
    centre = (share + spread / 2) / (1 + spread)
    half = _Z * sqrt(share * (1 - share) / total + spread / (4 * total)) / (1 + spread)
    return Estimate(share, max(0.0, centre - half), min(1.0, centre + half))


@cache
def _tables() -> dict[str, Any]:
    text = (files("nadie.risk") / "data" / "misses.json").read_text(encoding="utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables
