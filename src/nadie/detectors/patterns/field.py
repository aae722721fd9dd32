"""An identifier known by the words before it: a history number after `NHC`, a collegiate number after `Nº Col`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from nadie.detectors.patterns.base import SEPARATOR, digits_of, ends_alone, pattern_span
from nadie.detectors.patterns.measures import has_unit
from nadie.detectors.patterns.plain_text import PlainText
from nadie.document import Span
from nadie.labels import Label

# Digits with letters, in groups that punctuation joins: `150679`, `AN0412345678`, `HC-2019/0032-B`.
CODE = r"(?:[a-z]{1,4}[-/ ]?)?\d{1,16}(?:[a-z]{1,3}\d{1,12}){0,3}(?:[-/.]\d{1,12}[a-z]{0,2}){0,4}(?:[-/]?[a-z]{1,2})?"
# Groups of digits between blanks or punctuation: `33 4568642 23`, `28/28/12345`.
NUMBER = r"\d{1,16}(?:[ ./-]{1,3}\d{1,12}){0,4}"

_CHECKED = 0.99


@dataclass(frozen=True)
class Field:
    """Cue words and the value that may follow them.

    A value with fewer than `digits` digits or with a unit after it is none. A value that passes `check` scores higher.
    """

    name: str
    label: Label
    cue: str
    value: str = CODE
    score: float = 0.95
    digits: int = 3
    check: Callable[[str], bool] | None = None

    def find(self, note: PlainText) -> Iterator[Span]:
        for match in note.scan(rf"(?i)(?:\b|_)((?:{self.cue})){SEPARATOR}({self.value})"):
            if _cuts_word(note, match.end(1)):
                continue
            start = match.start(2)
            end = _value_end(note, start, match.end(2))
            value = note.plain[start:end]
            if len(digits_of(value)) < self.digits or not (ends_alone(note, end) or note.plain[end].isalpha()):
                continue
            if has_unit(note, end, short=False):
                continue
            score = _CHECKED if self.check is not None and self.check(value) else self.score
            yield pattern_span(self.name, self.label, (start, end), score)


def _cuts_word(note: PlainText, end: int) -> bool:
    """Whether the cue ends within a word: `NH` in `NHC`."""
    return note.plain[end - 1].isalpha() and note.plain[end : end + 1].isalpha()


def _value_end(note: PlainText, start: int, end: int) -> int:
    """The end of the value without the letters of a word that follows without a blank: `123456Edad`."""
    if ends_alone(note, end):
        return end
    cut = end
    while cut > start and note.plain[cut - 1].isalpha():
        cut -= 1
    return cut
