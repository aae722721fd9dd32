"""The replacements in a document, without its text: for the journal, and for processes that have the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nadie.anonymize.engine import Anonymized, Replaced
from nadie.document import Document, Span


class Replacements(NamedTuple):
    """A row for each span, with the new value unless the original was kept; it contains no original values."""

    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, result: Anonymized) -> Replacements:
        rows = [
            [
                *(r.span.start, r.span.end, r.span.label, r.span.score, r.span.source, r.operator),
                *(int(r.kept), int(r.refused), "" if r.kept else result.text[r.start : r.end]),
            ]
            for r in result.replaced
        ]
        return cls(rows)

    def applied_to(self, document: Document) -> Anonymized:
        """Rebuild the result from its document."""
        parts: list[str] = []
        replaced: list[Replaced] = []
        end = length = 0
        for start, stop, label, score, source, operator, kept, refused, new in self.rows:
            between, value = document.text[end:start], document.text[start:stop] if kept else new
            parts += [between, value]
            length += len(between) + len(value)
            span = Span(start, stop, label, score, source)
            replaced.append(Replaced(span, length - len(value), length, operator, bool(kept), bool(refused)))
            end = stop
        parts.append(document.text[end:])
        return Anonymized(document.with_spans(r.span for r in replaced), "".join(parts), tuple(replaced))
