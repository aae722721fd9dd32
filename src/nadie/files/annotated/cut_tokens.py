"""Tokens split at span borders, for formats that have tokens but no offsets inside them."""

from __future__ import annotations

from itertools import pairwise

from nadie.document import Document
from nadie.errors import FormatError
from nadie.tokens.tokenizer import Token, tokenize


def cut_tokens(document: Document) -> list[Token]:
    """The tokens of a document, split where a span begins or ends inside one."""
    borders = {border for span in document.spans for border in (span.start, span.end)}
    cut: list[Token] = []
    for token in tokenize(document.text):
        inside = sorted(border for border in range(token.start + 1, token.end) if border in borders)
        edges = [token.start, *inside, token.end]
        cut += [Token(a, b, document.text[a:b]) for a, b in pairwise(edges)]
    return cut


def check_disjoint(document: Document) -> None:
    """Raise an error for overlapping spans: one tag per token cannot express them."""
    end = 0
    for span in document.spans:
        if span.start < end:
            raise FormatError(f"has spans that overlap at {span.start}", where=document.id)
        end = span.end
