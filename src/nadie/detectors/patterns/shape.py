"""An identifier known by its form, such as a DNI by eight digits and their letter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import hit, is_cued, stands_alone
from nadie.detectors.patterns.measures import has_unit, is_count
from nadie.detectors.patterns.note import PlainText
from nadie.document import Span
from nadie.labels import Label

_SURE = 0.9


@dataclass(frozen=True)
class Checksum:
    """A rule that the characters of an identifier keep, what a form is worth that keeps it, and one that does not."""

    holds: Callable[[str], bool]
    valid: float
    invalid: float = 0.0


@dataclass(frozen=True)
class Shape:
    """A form, what it is worth alone, and what cue words and a checksum add.

    The first group of `regex` is the value, or all of it where there is no group. With a checksum, that decides what
    the form is worth, and else `score`. After the words of `cue` it is worth `cued` at least, even with a bad checksum:
    people mistype their own numbers, and they are theirs still.
    """

    name: str
    label: Label
    regex: str
    score: float = 0.0
    cue: str = ""
    cued: float = 0.97
    checksum: Checksum | None = None

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(self.regex):
            start, end = match.span(min(match.re.groups, 1))
            if stands_alone(note, start, end) and (score := self._worth(note, start, end)) > 0:
                yield hit(self.name, self.label, (start, end), score)

    def _worth(self, note: PlainText, start: int, end: int) -> float:
        own = self.score
        if self.checksum is not None:
            own = self.checksum.valid if self.checksum.holds(note.plain[start:end]) else self.checksum.invalid
        if self.cue and is_cued(note, start, self.cue):
            return max(own, self.cued)
        return own if own >= _SURE or not (has_unit(note, end) or is_count(note, start)) else 0.0
