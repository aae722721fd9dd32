"""The detector made of all patterns."""

from __future__ import annotations

from collections.abc import Sequence

from nadie.detectors.patterns.base import SOURCE, Pattern
from nadie.detectors.patterns.catalog import catalog
from nadie.detectors.patterns.note import PlainText
from nadie.document import Document, Span
from nadie.labels import Label, Parent

# How many spans back a holder may stand, and how much less sure it may be than what it holds.
_NEAR = 12
_MARGIN = 0.2


class Patterns:
    """Finds what has a form of its own, or words that announce it, without any model.

    Spans come with a score and with `patterns:<name>` as their source. Those under `threshold` stay out; with 0, all
    come, also the ambiguous ones, which a learned detector may use as hints. A span that lies inside a surer or equally
    sure one of another pattern says nothing new and stays out as well.

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
    """The spans that no other holds which is about as sure: a town in a street's name is no town."""
    kept: list[Span] = []
    for span in sorted(spans, key=lambda s: (s.start, -s.end, -s.score, s.label)):
        near = kept[-_NEAR:]
        if any(_outdoes(other, span) for other in near):
            continue
        kept[-_NEAR:] = [other for other in near if other.label != span.label or not other.contains(span)]
        kept.append(span)
    return tuple(sorted(kept))


def _outdoes(holder: Span, span: Span) -> bool:
    if not holder.contains(span):
        return False
    if len(holder) == len(span):
        return holder.score > span.score or holder.label == span.label
    names = holder.label != span.label and Label(holder.label).parent == Label(span.label).parent == Parent.NAME
    return holder.score >= span.score - (0 if names else _MARGIN)
