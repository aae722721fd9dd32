"""How the tables of the pattern tests are written: the value stands in ⟦⟧ within its text."""

from __future__ import annotations

from nadie.detectors.patterns import Patterns
from nadie.document import Document, Span

SURE = Patterns()
ALL = Patterns(threshold=0.0)


def unmarked(marked: str) -> tuple[str, int, int]:
    """The text without its marks, and where the marked value stands."""
    start, end = marked.index("⟦"), marked.index("⟧") - 1
    return marked.replace("⟦", "").replace("⟧", ""), start, end


def found(text: str, detector: Patterns = SURE) -> list[tuple[str, str]]:
    """What is found in a text, as pairs of value and label."""
    document = Document("", text)
    return [(document.text_of(span), span.label) for span in detector.detect([document])[0]]


def span_at(marked: str, detector: Patterns = SURE) -> Span | None:
    """The span found exactly at the marked place, the one with the highest score if there are several."""
    text, start, end = unmarked(marked)
    spans = detector.detect([Document("", text)])[0]
    here = [span for span in spans if (span.start, span.end) == (start, end)]
    return max(here, key=lambda span: span.score, default=None)


def label_at(marked: str) -> str | None:
    """The label of the span found exactly at the marked place."""
    span = span_at(marked)
    return span.label if span else None
