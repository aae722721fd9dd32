"""Identifiers known by their shape, such as a DNI by eight digits and their letter, or by the text around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import is_cued, pattern_span, stands_alone
from nadie.detectors.patterns.measures import has_unit, is_count
from nadie.detectors.patterns.plain_text import PlainText
from nadie.document import Span
from nadie.labels import Label

_SURE = 0.9


@dataclass(frozen=True)
class ContextPattern:
    """An expression whose matches all have one score, or that of a function of the text and the place of the match.

    The first group of `regex` is the value, or all of it where there is no group. A match with the score 0 is none.
    """

    name: str
    label: Label
    regex: str
    score: float | Callable[[PlainText, int, int], float]

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(self.regex):
            start, end = match.span(min(match.re.groups, 1))
            score = self.score(note, start, end) if callable(self.score) else self.score
            if score > 0:
                yield pattern_span(self.name, self.label, (start, end), score)


@dataclass(frozen=True)
class Checksum:
    """A rule that the characters of an identifier obey, and the scores of values that obey it and that do not."""

    holds: Callable[[str], bool]
    valid: float
    invalid: float = 0.0


@dataclass(frozen=True)
class Shape:
    """A shape, its score, and what cue words and a checksum add.

    The first group of `regex` is the value, or all of it where there is no group. A checksum replaces `score` by its
    own. After the words of `cue` the score is at least `cued`, even with a wrong checksum: people mistype their own
    numbers.
    """

    name: str
    label: Label
    regex: str
    score: float = 0.0
    cue: str = ""
    cued: float = 0.97
    checksum: Checksum | None = None

    def find(self, note: PlainText) -> Iterator[Span]:
        return ContextPattern(self.name, self.label, self.regex, self._score).find(note)

    def _score(self, note: PlainText, start: int, end: int) -> float:
        if not stands_alone(note, start, end):
            return 0.0
        own = self.score
        if self.checksum is not None:
            own = self.checksum.valid if self.checksum.holds(note.plain[start:end]) else self.checksum.invalid
        if self.cue and is_cued(note, start, self.cue):
            return max(own, self.cued)
        return own if own >= _SURE or not (has_unit(note, end) or is_count(note, start)) else 0.0
