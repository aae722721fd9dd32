"""The replacements in a document, without its text: for the journal, and for processes that have the document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from nadie.anonymize.engine import Anonymized, Piece, assemble
from nadie.document import Document, Span


class Replacements(NamedTuple):
    """A row for each span, with the new value unless the original was kept; it contains no original values."""

    rows: Sequence[Sequence[Any]]

    @classmethod
    def of(cls, result: Anonymized) -> Replacements:
        rows = [
            [
                *(r.span.start, r.span.end, r.span.label, r.span.score, r.span.source, r.operator),
                *(int(r.kept), int(r.refused), r.taken, "" if r.kept else result.text[r.start : r.end]),
            ]
            for r in result.replaced
        ]
        return cls(rows)

    def applied_to(self, document: Document) -> Anonymized:
        """Rebuild the result from its document."""
        pieces = [
            Piece(
                *(Span(*span), document.text[span[0] : span[1]] if kept else new, operator, bool(kept), bool(refused)),
                taken=taken,
            )
            for *span, operator, kept, refused, taken, new in self.rows
        ]
        return assemble(document.with_spans(piece.span for piece in pieces), pieces)
