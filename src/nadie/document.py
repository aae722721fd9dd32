"""A document and its spans: frozen, and impossible to build invalid.

Offsets count Unicode code points of the text exactly as stored: nothing is normalised, no newline translated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from nadie.errors import SpanError
from nadie.labels import LABELS

FIELD = "field"
"""The source of a span that the structure of a file gives, as a field for the birth date; no detector overrules it."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`text[start:end]` is protected health information of type `label`.

    `score` is the detector's confidence from 0 to 1, `source` the name of the detector that found it. Two spans are
    equal when place and label are: score and source do not take part.
    """

    start: int
    end: int
    label: str
    score: float = field(default=1.0, compare=False)
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.start < 0 or self.end <= self.start:
            raise SpanError(f"a span must have 0 <= start < end, not {self.start}..{self.end}")
        if self.label not in LABELS:
            raise SpanError(f"unknown label {self.label[:40]!r}")
        if not 0.0 <= self.score <= 1.0:
            raise SpanError(f"a score lies between 0 and 1, not at {self.score}")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Document:
    """A text, its id, its spans in order, and what is known about it."""

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        surest_first = sorted(self.spans, key=lambda span: -span.score)
        spans = tuple(sorted(dict.fromkeys(surest_first)))  # of equal ones, the first
        for span in spans:
            if span.end > len(self.text):
                raise SpanError(f"span {span.start}..{span.end} ends after the text, which has {len(self.text)}")
        object.__setattr__(self, "spans", spans)
        object.__setattr__(self, "meta", MappingProxyType(dict(self.meta)))

    @property
    def is_silver(self) -> bool:
        """Whether a model annotated it for others to learn from (`nadie distil`), and no person."""
        return "silver" in self.meta

    def __reduce__(self) -> tuple[object, ...]:
        return Document, (self.id, self.text, self.spans, dict(self.meta))

    def with_spans(self, spans: Iterable[Span]) -> Document:
        return replace(self, spans=tuple(spans))

    def text_of(self, span: Span) -> str:
        return self.text[span.start : span.end]
