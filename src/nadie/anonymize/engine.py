"""Document with disjoint spans → text without them."""

from __future__ import annotations

from typing import Protocol

from nadie.document import Document, Span
from nadie.errors import SpanError


class Operator(Protocol):
    """Says what stands in the place of one span."""

    name: str

    def replace(self, text: str, span: Span) -> str: ...


def anonymize(document: Document, operator: Operator) -> str:
    """The document's text with every span replaced; whatever stands between the spans is untouched."""
    pieces: list[str] = []
    end = 0
    for span in document.spans:
        if span.start < end:
            raise SpanError(f"spans overlap at {span.start}: resolve them before anonymizing")
        pieces += [document.text[end : span.start], operator.replace(document.text_of(span), span)]
        end = span.end
    pieces.append(document.text[end:])
    return "".join(pieces)
