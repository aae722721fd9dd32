"""A document and its spans. They are immutable, and an invalid one cannot be built.

Offsets count Unicode code points of the text exactly as stored: nothing is normalised, and newlines are not translated.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from nadie.errors import SpanError
from nadie.labels import LABELS, is_own

FIELD = "field"
"""The source of a span that comes from the structure of a file, such as a birth date field. It overrides detectors."""
UNKNOWN_FIELD = "unknown field"
"""The source of a field whose meaning is not known. It is replaced by its label whatever the policy: a surrogate could
be a wrong measurement, and a policy that keeps the label does not mean this value."""
FIELDS = frozenset({FIELD, UNKNOWN_FIELD})
DOUBTFUL = "doubtful"
"""The source of a span that may well be no PHI, such as a word that only looks like a name. It is replaced by its label
whatever the policy, because a surrogate could falsify a clinical term, and it is not looked for once more."""

SUSPECTED = "suspected"
"""The source of a word that a detector takes for no name, and not with certainty. It is none of a document's spans: the
second look decides whether it becomes a doubtful one."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`text[start:end]` is protected health information with the label `label`.

    `score` is the detector's confidence from 0 to 1, and `source` is the name of the detector. Two spans are equal if
    their offsets and labels are equal; score and source are not compared.
    """

    start: int
    end: int
    label: str
    score: float = field(default=1.0, compare=False)
    source: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if self.start < 0 or self.end <= self.start:
            raise SpanError(f"a span must have 0 <= start < end, not {self.start}..{self.end}")
        if self.label not in LABELS and not is_own(self.label):
            raise SpanError(f"unknown label {self.label[:40]!r}")
        if not 0.0 <= self.score <= 1.0:
            raise SpanError(f"a score must be between 0 and 1, not {self.score}")

    def __len__(self) -> int:
        return self.end - self.start

    def overlaps(self, other: Span) -> bool:
        return self.start < other.end and other.start < self.end

    def contains(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass(frozen=True, slots=True)
class Document:
    """A text with its id, its spans in order, and its metadata.

    `known` are identities to find in it in any spelling, such as its patient's: a list of names or of fields
    (`{"nombre": ..., "dni": ...}`).
    """

    id: str
    text: str
    spans: tuple[Span, ...] = ()
    meta: Mapping[str, str] = field(default_factory=dict, hash=False)
    known: Sequence[Mapping[str, str] | str] = field(default=(), hash=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        if isinstance(self.known, str | Mapping):
            raise SpanError("known must be a list of identities")
        spans = self.spans
        if any(after.start <= before.start for before, after in pairwise(spans)):
            by_score = sorted(spans, key=lambda span: -span.score)
            spans = tuple(sorted(dict.fromkeys(by_score)))  # of equal spans, the one with the highest score
        for span in spans:
            if span.end > len(self.text):
                raise SpanError(f"span {span.start}..{span.end} ends after the text, whose length is {len(self.text)}")
        object.__setattr__(self, "spans", tuple(spans))
        object.__setattr__(self, "meta", MappingProxyType(dict(self.meta)))

    @property
    def is_silver(self) -> bool:
        """Whether a model, not a person, annotated the document for training (see `nadie distil`)."""
        return "silver" in self.meta

    def __reduce__(self) -> tuple[object, ...]:
        return Document, (self.id, self.text, self.spans, dict(self.meta), self.known)

    def with_spans(self, spans: Iterable[Span]) -> Document:
        return Document(self.id, self.text, tuple(spans), self.meta, self.known)

    def text_of(self, span: Span) -> str:
        return self.text[span.start : span.end]
