"""The detector that runs all patterns."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.detectors.patterns.base import SOURCE, Pattern
from nadie.detectors.patterns.catalog import catalog
from nadie.detectors.patterns.plain_text import PlainText
from nadie.document import Document, Span
from nadie.labels import Label, Parent

# How many spans back the outer span may be, and by how much its score may be lower than that of the inner one.
_NEAR = 12
_MARGIN = 0.2


class Patterns:
    """Finds identifiers by their shape or by cue words, without any model.

    The source of a span is `patterns:<name>`. Spans whose score is below `threshold` are left out; with 0 all are
    given, also the ambiguous ones, which a learned detector may use as hints. A span inside another one of the same or
    a higher score is left out as well.

    >>> [span] = Patterns().detect([Document("", "DNI 12345678Z")])[0]
    >>> span.label, span.source
    ('ID_SUJETO_ASISTENCIA', 'patterns:dni')
    """

    name = SOURCE

    def __init__(self, threshold: float = 0.5, patterns: Sequence[Pattern] | None = None) -> None:
        self.threshold = threshold
        self._patterns = tuple(patterns) if patterns is not None else catalog()

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        return [self._spans(document.text) for document in documents]

    def _spans(self, text: str) -> tuple[Span, ...]:
        note = PlainText.of(text)
        spans = [span for pattern in self._patterns for span in pattern.find(note) if span.score >= self.threshold]
        return _outermost(spans)


def _outermost(spans: Sequence[Span]) -> tuple[Span, ...]:
    """The spans that lie in no other of about the same score: a town in the name of a street is no town."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, -s.score, s.label)):
        near = kept[-_NEAR:]
        if any(_outranks(other, span) for other in near):
            continue
        kept[-_NEAR:] = [other for other in near if other.label != span.label or not other.contains(span)]
        kept.append(span)
    return tuple(sorted(kept))


def _outranks(outer: Span, span: Span) -> bool:
    if not outer.contains(span):
        return False
    if len(outer) == len(span):
        return outer.score > span.score or outer.label == span.label
    names = outer.label != span.label and Label(outer.label).parent == Label(span.label).parent == Parent.NAME
    return outer.score >= span.score - (0 if names else _MARGIN)
