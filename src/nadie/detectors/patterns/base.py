"""What a pattern is, and the tests of context that patterns share.

Patterns run on the plain ASCII of `plain_text.py`, so `\\b` and `[a-z]` are enough, in RE2, in time linear in the text.
The score of a match is about the share of such matches that are right in clinical notes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from nadie.detectors.patterns.plain_text import PlainText, compiled
from nadie.document import Span
from nadie.labels import Label

SOURCE = "patterns"
_BEFORE = 48

# What may stand between a cue and its value: `NHC: 1`, `NHC nº 1`, `NHC | 1`, `**NHC** - 1`, or the next line.
SEPARATOR = (
    r"[ .]{0,3}(?:(?:num(?:ero)?\.?|n(?:[o.]|º|\.º|ro)?\.?|#|:|;|=|\||\n|-|>|\*|es(?: el)?|\(|\)|"
    r"\]) {0,8}){0,5}"
)
# What stands between a label and its value in the many layouts of notes: `Nombre: X`, `NOMBRE - X`, `**Nombre**  X`.
LABEL_END = r"[ .]{0,2}[*\])>]{0,3}(?: ?[:;=|]| --? |\.-| {3}|\n)[ |*:]{0,8}\n? {0,8}"
_LEFT = r"(?:\A|\n|\||//|\x03| - | {3}) {0,8}"
_RIGHT = r" {0,8}(?:\z|[.;]?\n|\||//|\x03| - | {3})"


class Pattern(Protocol):
    """Finds one kind of identifier. The source of its spans is `patterns:<name>`."""

    @property
    def name(self) -> str: ...

    def find(self, note: PlainText) -> Iterator[Span]: ...


def pattern_span(name: str, label: Label, place: tuple[int, int], score: float) -> Span:
    """The span that the pattern `name` finds."""
    return Span(place[0], place[1], label, score, f"{SOURCE}:{name}")


def fills_cell(note: PlainText, start: int, end: int) -> bool:
    """Whether `[start:end]` is a whole line, or a whole cell of a table."""
    return follows(note, start, _LEFT, 12) and precedes(note, end, _RIGHT, 12)


def is_cued(note: PlainText, start: int, cue: str) -> bool:
    """Whether `cue` matches right before `start`, with at most some separators between."""
    context = note.raw[max(0, start - _BEFORE) : start]
    return compiled(rf"(?i)(?:\b|_)(?:{cue}){SEPARATOR}\z").search(context) is not None


def follows(note: PlainText, start: int, regex: str, reach: int = _BEFORE) -> bool:
    """Whether `regex` matches right up to `start`."""
    return compiled(rf"(?i)(?:{regex})\z").search(note.raw[max(0, start - reach) : start]) is not None


def precedes(note: PlainText, end: int, regex: str, reach: int = _BEFORE) -> bool:
    """Whether `regex` matches from `end` on."""
    return compiled(rf"(?i)\A(?:{regex})").search(note.raw[end : end + reach]) is not None


def stands_alone(note: PlainText, start: int, end: int) -> bool:
    """Whether `[start:end]` touches no letter or digit and is not part of a longer number."""
    text = note.plain
    if start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        return False
    if start > 1 and text[start - 1] in ".,/-+" and text[start - 2].isdigit():
        return False
    if end + 1 < len(text) and text[end] in ".,/-+" and text[end + 1].isdigit():
        return False
    return ends_alone(note, end)


def ends_alone(note: PlainText, end: int) -> bool:
    """Whether no letter or digit follows `end`."""
    return end == len(note.plain) or not (note.plain[end].isalnum() or note.plain[end] == "_")


def digits_of(value: str) -> str:
    return "".join(filter(str.isdigit, value))
