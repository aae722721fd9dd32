"""Tokens that end where spans end, for formats that have tokens and no offsets between them."""

from __future__ import annotations

from itertools import pairwise

from nadie.document import Document
from nadie.errors import FormatError
from nadie.tokens.tokenizer import Token, tokenize


def cut_tokens(document: Document) -> list[Token]:
    """The tokens of a document, cut where a span begins or ends inside of one."""
    borders = {border for span in document.spans for border in (span.start, span.end)}
    cut: list[Token] = []
    for token in tokenize(document.text):
        inside = sorted(border for border in range(token.start + 1, token.end) if border in borders)
        edges = [token.start, *inside, token.end]
        cut += [Token(a, b, document.text[a:b]) for a, b in pairwise(edges)]
    return cut


def check_disjoint(document: Document, where: str) -> None:
    """An error for spans that overlap: one tag for each token cannot express them."""
    end = 0
    for span in document.spans:
        if span.start < end:
            raise FormatError(f"document {document.id[:80]!r} has spans that overlap at {span.start}", where=where)
        end = span.end
