"""Text with its spans while it is being composed; joining and cutting of such texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from nadie.document import Span
from nadie.labels import NAMES

_SPACES = re.compile(r" {1,3}")


class AnnotatedText(NamedTuple):
    """A text with spans, before it is part of a document."""

    text: str
    spans: tuple[Span, ...] = ()

    def then(self, other: AnnotatedText) -> AnnotatedText:
        """This text followed by another."""
        return join((self, other))

    def stripped(self) -> AnnotatedText:
        """The text without white space at either end."""
        start = len(self.text) - len(self.text.lstrip())
        end = len(self.text.rstrip())
        return self if (start, end) == (0, len(self.text)) else cut(self, start, max(start, end))


def marked(text: str, label: str) -> AnnotatedText:
    """A text that is one span."""
    return AnnotatedText(text, (Span(0, len(text), label),) if text else ())


def join(passages: Iterable[AnnotatedText], between: str = "") -> AnnotatedText:
    """Concatenate the texts."""
    pieces: list[str] = []
    spans: list[Span] = []
    at = 0
    for i, passage in enumerate(passages):
        if i and between:
            pieces.append(between)
            at += len(between)
        pieces.append(passage.text)
        spans.extend(Span(s.start + at, s.end + at, s.label) for s in passage.spans)
        at += len(passage.text)
    return AnnotatedText("".join(pieces), tuple(spans))


def cut(passage: AnnotatedText, start: int, end: int) -> AnnotatedText:
    """The part from `start` to `end`, with the spans inside it."""
    inside = (s for s in passage.spans if start <= s.start and s.end <= end)
    return AnnotatedText(passage.text[start:end], tuple(Span(s.start - start, s.end - start, s.label) for s in inside))


def fused_names(text: str, spans: Iterable[Span]) -> tuple[Span, ...]:
    """The spans, with names merged that are separated only by spaces (guidelines, M1.1 and M5.1)."""
    fused: list[Span] = []
    for span in sorted(spans):
        last = fused[-1] if fused else None
        if last is not None and span.label == last.label in NAMES and _SPACES.fullmatch(text, last.end, span.start):
            fused[-1] = Span(last.start, span.end, span.label)
        else:
            fused.append(span)
    return tuple(fused)
