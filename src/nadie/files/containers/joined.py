"""Several texts joined into one document, so that a name in one of them is known in all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from nadie.files.container import Edits
from nadie.files.containers.markup.html import Page
from nadie.files.containers.raw import Range, spliced
from nadie.files.mapped import Edit, MappedText, Segment, TextBuilder


class Inner(NamedTuple):
    """The address of a segment: the number of its text, and the segment there."""

    number: int
    segment: Segment[Any]


class Joined:
    """Consecutive texts, each on its own lines, with the functions that write them back."""

    def __init__(self) -> None:
        self._texts: list[MappedText[Any]] = []
        self._writers: list[Callable[[Edits], object]] = []

    def add(self, text: MappedText[Any], writer: Callable[[Edits], object]) -> None:
        """Add a text; the writer always gets its edits, even if there are none."""
        self._texts.append(text)
        self._writers.append(writer)

    def add_string(self, raw: str, put: Callable[[str], object]) -> None:
        """Add a plain string; `put` gets the new one if it changes."""
        builder: TextBuilder[Range] = TextBuilder()
        builder.add(raw, (0, len(raw)))
        text = builder.build()
        self.add(text, lambda edits: put(spliced(raw, text, edits, lambda new, _: new)) if edits else None)

    def add_page(self, page: Page, put: Callable[[str], object]) -> None:
        """Add an HTML page; `put` gets the new markup if it changes."""
        self.add(page.text, lambda edits: put(page.rewritten(edits)) if edits else None)

    def do(self, action: Callable[[], object]) -> None:
        """Add an action that is executed when the texts are written, in order."""
        self.add(TextBuilder[Range]().build(), lambda edits: action())

    def build(self) -> MappedText[Inner]:
        builder: TextBuilder[Inner] = TextBuilder()
        for number, text in enumerate(self._texts):
            builder.cut()
            end = 0
            for segment in text.segments:
                builder.cut(text.text[end : segment.start] if end else "")
                builder.add(segment.text, Inner(number, segment), segment.label)
                end = segment.end
        return builder.build()

    def write(self, whole: MappedText[Inner], edits: Edits) -> None:
        """Write each text with its own edits, from the edits of the whole."""
        found: list[list[Edit]] = [[] for _ in self._texts]
        for change in whole.split(edits):
            number, segment = change.segment.address
            found[number].append(Edit(segment.start + change.start, segment.start + change.end, change.replacement))
        for writer, of_text in zip(self._writers, found, strict=True):
            writer(of_text)
