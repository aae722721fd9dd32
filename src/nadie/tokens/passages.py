"""A document in passages, and the document that is left when some of them are taken out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import Token, tokenize


class Passage(NamedTuple):
    """`text[start:end]`: a sentence and what stands after it up to the next, or several that a span holds together."""

    start: int
    end: int
    words: int  # of its first sentence
    spans: tuple[Span, ...]


def passages(document: Document, tokens: Sequence[Token] | None = None) -> list[Passage]:
    """The passages of a document: all of its text, in order, and no span in two of them."""
    tokens = tokenize(document.text) if tokens is None else tokens
    sentences = split_sentences(document.text, tokens)
    if not sentences:
        return [Passage(0, len(document.text), 0, document.spans)]
    starts = [0, *(tokens[first].start for first, _ in sentences[1:])]
    found: list[Passage] = []
    waiting = list(document.spans)
    end = 0
    for number, start in enumerate(starts):
        if start < end:
            continue
        end = starts[number + 1] if number + 1 < len(starts) else len(document.text)
        while crossing := next((span for span in waiting if span.start < end < span.end), None):
            end = next((later for later in starts if later >= crossing.end), len(document.text))
        inside = tuple(span for span in waiting if span.start < end)
        waiting = waiting[len(inside) :]
        found.append(Passage(start, end, sentences[number].stop - sentences[number].first, inside))
    return found


def joined(document: Document, kept: Iterable[Passage]) -> Document:
    """The document of these passages alone, with their spans at their new offsets."""
    pieces: list[str] = []
    spans: list[Span] = []
    length = 0
    for start, end, _, inside in kept:
        shift = length - start
        spans += [Span(s.start + shift, s.end + shift, s.label, s.score, s.source) for s in inside]
        pieces.append(document.text[start:end])
        length += end - start
    return Document(document.id, "".join(pieces), tuple(spans), document.meta)
