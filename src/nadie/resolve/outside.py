"""The text of a document outside its spans, in which what the spans say is looked for again."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.spanish.folding import NOTHING, same_length_of_note
from nadie.spanish.name_forms import capitals_in, initials_in
from nadie.spanish.squashing import Squashed

COMPLETED = "complete:"
"""The beginning of the source of a span that was found by what the other spans of its document say."""


def is_completed(span: Span) -> bool:
    return span.source.startswith(COMPLETED)


class Candidate(NamedTuple):
    """A range of the text that repeats or completes spans, with the labels of these, the likeliest first.

    `source` is that of the spans if the new span has to be replaced like them, whatever the policy.
    """

    start: int
    end: int
    labels: tuple[str, ...]
    score: float
    source: str = ""


class Outside:
    """The text of a document outside its spans; each form of it is computed once."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def detected(self) -> Document:
        """The document without the spans that were found by what other spans say."""
        spans = self.document.spans
        own = tuple(span for span in spans if not is_completed(span))
        return self.document if len(own) == len(spans) else self.document.with_spans(own)

    @cached_property
    def squashed(self) -> Squashed:
        """The text with its spans hidden."""
        return Squashed(self.document.text, [(span.start, span.end) for span in self.document.spans])

    @cached_property
    def folded(self) -> str:
        """The whole text folded, with spaces in place of marks and invisible characters."""
        return same_length_of_note(self.document.text).replace(NOTHING, " ")

    @cached_property
    def initials(self) -> list[tuple[int, int, str]]:
        """Where initials may stand outside the spans, with their letters."""
        found = (*initials_in(self.folded), *capitals_in(self.document.text))
        return [each for each in found if not self.squashed.hides(*each[:2])]
