"""How many identifiers were probably missed in a release, by label, with bounds.

The detector is run on the output in its balanced mode and in recall mode. How many identifiers of a class were missed
in a document grows with what only recall mode finds there, and with how uncertain the detector was about what it found
in the original, which the audit tells: notes that are hard for it have more of both. A Poisson regression on annotated
notes gives the expected number (`benchmarks/expected_misses.py`). The bounds are those of a Poisson count, widened by
the error that the regression had on notes that it was not fitted to. They do not tell how unlike other notes are: a
reviewed sample of one's own notes does.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp, log, log1p, sqrt
from typing import Any, NamedTuple

from nadie.document import Span
from nadie.labels import Label

KEPT = (Label.SEXO_SUJETO_ASISTENCIA, Label.PAIS, Label.FAMILIARES_SUJETO_ASISTENCIA, Label.EDAD_SUJETO_ASISTENCIA)
"""Labels whose values mostly stay on purpose: what is left of them is not counted as missed."""
_Z = 1.96


class Estimate(NamedTuple):
    """An expected number and its bounds."""

    expected: float
    low: float
    high: float


class Certainty(NamedTuple):
    """How certain the detector was about an original: the spans with a score below 0.9, and all spans."""

    uncertain: float = 0.0
    found: float = 0.0


def only_in_recall_mode(found: Sequence[Span], possible: Iterable[Span]) -> list[Span]:
    """The spans of recall mode that overlap none of the balanced mode."""
    taken = {at for span in found for at in range(span.start, span.end)}
    return [span for span in possible if taken.isdisjoint(range(span.start, span.end))]


def predictors(only_in_recall: int, certainty: Certainty) -> tuple[float, float, float]:
    """What the number of identifiers of one class that were missed in one document is predicted from."""
    return log1p(only_in_recall), log(certainty.uncertain + 0.5), log1p(certainty.found)


class Misses:
    """Adds up the documents of a release; `second` if a second look was used for it."""

    def __init__(self, *, second: bool, table: Mapping[str, Any] | None = None) -> None:
        """Use the shipped table, or one of the same form."""
        self._table: Mapping[str, Any] = table or _tables()["two" if second else "one"]
        self._expected: dict[Label, float] = defaultdict(float)

    def add(self, found: Sequence[Span], possible: Iterable[Span], certainty: Certainty) -> None:
        """Add a document by the spans found in its output, those of recall mode, and the certainty of the original."""
        counts = Counter(Label(span.label) for span in only_in_recall_mode(found, possible))
        for of_class in self._table["classes"].values():
            shares: dict[str, float] = of_class["labels"]
            total = sum(counts[Label(label)] for label in shares)
            weighted = zip(self._table["weights"], predictors(total, certainty), strict=True)
            expected = exp(min(5.0, of_class["intercept"] + sum(weight * value for weight, value in weighted)))
            for label, share in shares.items():
                self._expected[Label(label)] += expected * (counts[Label(label)] + share) / (total + 1)

    def estimates(self) -> dict[Label, Estimate]:
        """The expected number of missed identifiers by label; labels of classes that were not measured are left out."""
        measured = [label for label in Label if label.parent in self._table["classes"] and label not in KEPT]
        return {label: self._with_bounds(self._expected[label]) for label in measured}

    def of_class(self, name: str) -> Estimate:
        """The expected number of missed identifiers of a class of labels, such as NAME."""
        return self._with_bounds(sum(self._expected[label] for label in Label if label.parent == name))

    def total(self) -> Estimate:
        """The expected number of all missed identifiers."""
        return self._with_bounds(sum(self._expected.values()))

    def _with_bounds(self, expected: float) -> Estimate:
        factor = exp(_Z * self._table["spread"])
        low, high = expected / factor, expected * factor
        return Estimate(expected, max(0.0, low - _Z * sqrt(low)), high + _Z * sqrt(high + 1.0))


@cache
def _tables() -> dict[str, Any]:
    text = (files("nadie.risk") / "data" / "misses.json").read_text(encoding="utf-8")
    tables: dict[str, Any] = json.loads(text)
    return tables
