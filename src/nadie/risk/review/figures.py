"""The shares that a reviewed sample gives, each with its bounds, and the statement that it allows.

A span leaks if any letter or digit of it stays readable, whatever the label of what covers the rest. A note or patient
leaks if one direct identifier does: direct identifiers are all or nothing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil
from typing import NamedTuple

from nadie.document import Span
from nadie.evaluation.leaks import readable, visible
from nadie.labels import DIRECT
from nadie.risk.bounds import Share, notes_needed, weighted
from nadie.risk.review.reading import ReviewedNote
from nadie.risk.sample import Sample


class Figure(NamedTuple):
    """`found` of `counted` in the sample, in so many notes, and the share of all notes that this stands for."""

    found: int
    counted: int
    notes: int
    share: Share


class Statement(NamedTuple):
    """What can be stated of all notes or patients, and how many more of them a review would need.

    `holds` is None before the whole sample is reviewed. `more` assumes that no further leak is found.
    """

    leaking: int
    reviewed: int
    drawn: int
    bound: float
    holds: bool | None
    more: int


class Outcome(NamedTuple):
    """What the review says of one note: its gold spans that leak, all of them, and spans that are no identifier."""

    note: ReviewedNote
    leaking: tuple[Span, ...]
    false: tuple[Span, ...]

    @property
    def is_leaking(self) -> bool:
        return any(span.label in DIRECT for span in self.leaking)


Count = Callable[[Outcome], tuple[int, int]]
"""How many of how many things an outcome has."""


def outcome(note: ReviewedNote) -> Outcome:
    """Compare the system's spans of a note with its gold spans."""
    text, gold = note.gold.text, note.gold.spans
    covered, marked = visible(text, note.system), visible(text, gold)
    leaking = tuple(span for span in gold if readable(text, [span], covered))
    false = tuple(span for span in note.system if marked.isdisjoint(range(span.start, span.end)))
    return Outcome(note, leaking, false)


@dataclass(frozen=True)
class Figures:
    """The figures of the reviewed notes of a sample."""

    sample: Sample
    notes: Sequence[ReviewedNote]

    @cached_property
    def outcomes(self) -> list[Outcome]:
        return [outcome(note) for note in self.notes]

    def statement(self) -> Statement:
        """What the sample allows to state by its stopping rule."""
        rule, units = self.sample.rule, in_units(self.outcomes, lambda each: (each.is_leaking, 1))
        leaking = [float(found > 0) for found, _, _ in units]
        weights = [weight for _, _, weight in units]
        bound = self._bound(leaking, weights)
        needed = max(len(units), notes_needed(rule.at_most, int(sum(leaking)), rule.level))
        while self.sample.oversampled > 1 and self._bound(leaking, weights, needed) > rule.at_most:
            needed += ceil(needed / 50)
        is_complete = len(units) == self.sample.units
        return Statement(
            int(sum(leaking)),
            len(units),
            self.sample.units,
            bound,
            bound <= rule.at_most if is_complete else None,
            needed - len(units),
        )

    def leaking_notes(self) -> Figure:
        return self._figure(self.outcomes, lambda each: (each.is_leaking, 1))

    def notes_with_any_leak(self) -> Figure:
        return self._figure(self.outcomes, lambda each: (bool(each.leaking), 1))

    def identifiers(self, labels: Iterable[str] | None = None) -> Figure:
        """The share of identifiers that leak, of all labels or of some."""
        chosen = None if labels is None else frozenset(labels)
        return self._figure(self.outcomes, lambda each: (_of(each.leaking, chosen), _of(each.note.gold.spans, chosen)))

    def false_alarms(self, label: str = "") -> Figure:
        """The share of the system's spans that cover no identifier at all: one minus the precision."""
        chosen = frozenset([label]) if label else None
        return self._figure(self.outcomes, lambda each: (_of(each.false, chosen), _of(each.note.system, chosen)))

    def labels(self) -> list[str]:
        """The labels of the gold spans."""
        return sorted({span.label for each in self.notes for span in each.gold.spans})

    def by_kind(self, name: str) -> dict[str, tuple[Figure, Figure]]:
        """The shares of leaking notes and of leaking identifiers for each document type, language or folder."""
        groups: dict[str, list[Outcome]] = defaultdict(list)
        for each in self.outcomes:
            groups[str(getattr(each.note.sampled.kind, name))].append(each)
        return {
            kind: (
                self._figure(some, lambda each: (each.is_leaking, 1)),
                self._figure(some, lambda each: (len(each.leaking), len(each.note.gold.spans))),
            )
            for kind, some in sorted(groups.items())
        }

    def possible_statements(self, most: int = 5) -> list[tuple[int, float]]:
        """What the whole sample states at worst if so many of its units leak: for planning.

        If chances were not equal, the leaks are taken to be in the units that stand for the most others.
        """
        weights = sorted({note.unit: 1 / note.chance for note in self.sample.notes}.values(), reverse=True)
        return [
            (found, self._bound([float(each < found) for each in range(len(weights))], weights))
            for found in range(min(most, len(weights) + 1))
        ]

    def _figure(self, outcomes: Sequence[Outcome], count: Count) -> Figure:
        units = in_units(outcomes, count)
        found, counted, weights = (list(column) for column in zip(*units, strict=True)) if units else ([], [], [])
        share = weighted(found, counted, weights, self.sample.rule.level, self.sample.heaviest)
        return Figure(int(sum(found)), int(sum(counted)), len(outcomes), share)

    def _bound(self, leaking: Sequence[float], weights: Sequence[float], size: int = 0) -> float:
        """What these units state, with units of the mean weight that do not leak added up to a size."""
        more = max(0, size - len(weights))
        mean = sum(weights) / len(weights) if weights else 1.0
        some = [*weights, *[mean] * more]
        ones, level = [1.0] * len(some), self.sample.rule.level
        return weighted([*leaking, *[0.0] * more], ones, some, level, self.sample.heaviest).at_most


def in_units(outcomes: Sequence[Outcome], count: Count) -> list[tuple[float, float, float]]:
    """For each unit that was drawn how many of how many, and its weight."""
    units: dict[int, tuple[float, float, float]] = {}
    for each in outcomes:
        found, counted = count(each)
        before = units.get(each.note.sampled.unit, (0.0, 0.0, 0.0))
        units[each.note.sampled.unit] = (before[0] + found, before[1] + counted, each.note.weight)
    return list(units.values())


def _of(spans: Iterable[Span], labels: frozenset[str] | None) -> int:
    return sum(labels is None or span.label in labels for span in spans)
