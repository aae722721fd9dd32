"""Edits of a document: parts of its text are replaced, and its spans are moved accordingly."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import accumulate

from nadie.augment.passage import AnnotatedText
from nadie.document import Document, Span
from nadie.errors import SpanError


@dataclass(frozen=True, slots=True, order=True)
class TextEdit:
    """`text[start:end]` becomes `passage`; start == end inserts."""

    start: int
    end: int
    passage: AnnotatedText

    @property
    def growth(self) -> int:
        return len(self.passage.text) - (self.end - self.start)


def rewrite(document: Document, edits: Iterable[TextEdit]) -> Document:
    """The document after all edits at once.

    A span keeps covering its own text, including text that is replaced inside it. Text inserted exactly at a border of
    a span stays outside. A span is removed if an edit extends beyond it, deletes its text, or replaces it by a passage
    that has spans. An edit across a border of a span is ambiguous and raises a `SpanError`.
    """
    ordered = sorted(edits, key=lambda edit: (edit.start, edit.end))
    _check(ordered, len(document.text))
    if not ordered:
        return document
    pieces: list[str] = []
    spans: list[Span] = []
    at, written = 0, 0
    for edit in ordered:
        kept = document.text[at : edit.start]
        written += len(kept)
        spans.extend(Span(s.start + written, s.end + written, s.label) for s in edit.passage.spans)
        pieces += [kept, edit.passage.text]
        written += len(edit.passage.text)
        at = edit.end
    pieces.append(document.text[at:])
    spans.extend(_moved(document.spans, ordered))
    return replace(document, text="".join(pieces), spans=tuple(spans))


def insertion(at: int, passage: AnnotatedText) -> TextEdit:
    return TextEdit(at, at, passage)


def substitution(start: int, end: int, text: str) -> TextEdit:
    return TextEdit(start, end, AnnotatedText(text))


def map_characters(document: Document, change: Callable[[str], str]) -> Document:
    """Replace every character by the output of `change`, which may be longer or shorter."""
    table = {character: change(character) for character in set(document.text)}
    if all(len(new) == 1 for new in table.values()):
        return replace(document, text="".join(map(table.__getitem__, document.text)))
    edits = (
        substitution(i, i + 1, table[character])
        for i, character in enumerate(document.text)
        if table[character] != character
    )
    return rewrite(document, edits)


def borders(document: Document) -> set[int]:
    """Every offset where a span begins or ends; no edit may cross one of them."""
    return {offset for span in document.spans for offset in (span.start, span.end)}


def _check(edits: list[TextEdit], length: int) -> None:
    end = 0
    for edit in edits:
        if not end <= edit.start <= edit.end <= length:
            raise SpanError(f"edit {edit.start}..{edit.end} overlaps another or exceeds the text of length {length}")
        end = edit.end


def _moved(spans: Iterable[Span], edits: list[TextEdit]) -> Iterable[Span]:
    starts = [edit.start for edit in edits]
    ends = [edit.end for edit in edits]
    growth = [0, *accumulate(edit.growth for edit in edits)]
    for span in spans:
        first = bisect_right(ends, span.start)  # earlier edits are completely before the span
        stop = bisect_left(starts, span.end)  # edits from this one on are completely after it
        touching = edits[first:stop]
        if any(_replaces(edit, span) for edit in touching):
            continue
        start = span.start + growth[first]
        end = span.end + growth[stop]
        if end > start:
            yield replace(span, start=start, end=end)


def _replaces(edit: TextEdit, span: Span) -> bool:
    """Whether the edit removes the span. An edit that crosses one of its borders is a `SpanError`."""
    inside = span.start <= edit.start and edit.end <= span.end
    around = edit.start <= span.start and span.end <= edit.end
    if not inside and not around:
        raise SpanError(f"edit {edit.start}..{edit.end} crosses a border of the span {span.start}..{span.end}")
    if inside and not around and edit.passage.spans:
        raise SpanError(f"edit {edit.start}..{edit.end} would put a span into the span {span.start}..{span.end}")
    return around and (not inside or bool(edit.passage.spans))
