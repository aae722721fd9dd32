"""Shorter copies: most long sentences that hold nothing are left out of a varied copy of a note.

The copies of a note repeat its narrative, and the original teaches that already; what the copies are for is the
places around identifiers. Leaving the rest out makes training on several copies take about as long as on one.
"""

from __future__ import annotations

import random

from nadie.document import Document, Span
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import tokenize

_LONG = 12


def shortened(document: Document, dice: random.Random, kept_share: float) -> Document:
    """The document without most of its long sentences that no span touches."""
    tokens = tokenize(document.text)
    sentences = split_sentences(document.text, tokens)
    starts = [tokens[first].start for first, _ in sentences]
    if not starts:
        return document
    starts[0] = 0
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    waiting = list(document.spans)
    end = 0
    for number, start in enumerate(starts):
        if start < end:
            continue
        end = starts[number + 1] if number + 1 < len(starts) else len(document.text)
        while crossing := next((span for span in waiting if span.start < end < span.end), None):
            end = next((later for later in starts if later >= crossing.end), len(document.text))
        inside = [span for span in waiting if span.start < end]
        words = sentences[number].stop - sentences[number].first
        if not inside and words >= _LONG and dice.random() > kept_share:
            continue
        spans += [Span(s.start - start + length, s.end - start + length, s.label) for s in inside]
        waiting = waiting[len(inside) :]
        pieces.append(document.text[start:end])
        length += end - start
    return Document(document.id, "".join(pieces), tuple(spans), document.meta)
