"""A text with a map from its characters to their places in a container.

A segment is a range of text with an address in its container: a run of a Word paragraph, a slice of an HTML page, a
cell. Consecutive segments are joined, so that a name split over runs or tags is one name in the text; `cut` inserts a
separator between them, which does not exist in the container and is never written back.

Content with two readings, such as a paragraph with tracked changes, is added twice: segments with the same address are
one place, which gets the edits of all of them.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, NamedTuple, TypeVar

from nadie.document import FIELD, Document, Span

A = TypeVar("A")
_STRENGTH = ("", " ", "\t", "\n", "\n\n")


class Edit(NamedTuple):
    """The replacement of `text[start:end]` in the output."""

    start: int
    end: int
    replacement: str


@dataclass(frozen=True, slots=True)
class Segment(Generic[A]):
    """A range of text that begins at `start` and has the address `address`; with a label, a field known to be PHI.

    `source` is the source of the field's span, see `nadie.document`.
    """

    start: int
    text: str
    address: A
    label: str | None = None
    source: str = FIELD

    @property
    def end(self) -> int:
        return self.start + len(self.text)


class SegmentEdit(NamedTuple, Generic[A]):
    """A change of `segment.text[start:end]`."""

    segment: Segment[A]
    start: int
    end: int
    replacement: str


@dataclass(frozen=True)
class MappedText(Generic[A]):
    """One text of a container: `name` distinguishes it from others, `meta` is the document's, such as its patient."""

    text: str
    segments: Sequence[Segment[A]]
    name: str = ""
    meta: Mapping[str, str] = field(default_factory=dict)

    def document(self, container: str) -> Document:
        """The text as a document, with a span for each field whose label is known."""
        fields = (_stripped(segment) for segment in self.segments if segment.label)
        spans = (Span(s.start, s.end, s.label, 1.0, s.source) for s in fields if s.label and s.text)
        return Document(f"{container}#{self.name}" if self.name else container, self.text, tuple(spans), self.meta)

    def split(self, edits: Iterable[Edit]) -> list[SegmentEdit[A]]:
        """The edits, split at the borders of the segments, in text order.

        A replacement is written where its original began. If the original crossed separators and the replacement has
        the same ones, each part is written to its own segment; the rest of the replaced text becomes empty.
        """
        starts = [segment.start for segment in self.segments]
        done: list[SegmentEdit[A]] = []
        for edit in edits:
            near = range(max(0, bisect_right(starts, edit.start) - 1), bisect_left(starts, edit.end))
            touched = [self.segments[n] for n in near if self.segments[n].end > edit.start]
            done += self._cut(edit, touched) if touched else []  # a separator alone is not in the container
        return _once(done)

    def changes(self, edits: Iterable[Edit]) -> list[tuple[Segment[A], str]]:
        """The segments that change, in text order, each with its new text."""
        parts: dict[int, tuple[Segment[A], list[SegmentEdit[A]]]] = {}
        for change in self.split(edits):
            parts.setdefault(id(change.segment), (change.segment, []))[1].append(change)
        return [(segment, _applied(segment.text, changes)) for segment, changes in parts.values()]

    def _cut(self, edit: Edit, touched: Sequence[Segment[A]]) -> list[SegmentEdit[A]]:
        sides: list[list[Segment[A]]] = []
        separators: list[str] = []
        for n, segment in enumerate(touched):
            between = self.text[touched[n - 1].end : segment.start] if n else ""
            if n and not between:
                sides[-1].append(segment)
            else:
                sides.append([segment])
                separators += [between] if n else []
        replacements = _parts(edit.replacement, separators)
        return [
            SegmentEdit(
                segment,
                max(edit.start, segment.start) - segment.start,
                min(edit.end, segment.end) - segment.start,
                replacement if n == 0 else "",
            )
            for side, replacement in zip(sides, replacements, strict=True)
            for n, segment in enumerate(side)
        ]


class TextBuilder(Generic[A]):
    """Builds a text from segments, in reading order."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._segments: list[Segment[A]] = []
        self._length = 0
        self._pending = ""

    def add(self, text: str, address: A, label: str | None = None, source: str = FIELD) -> None:
        """Add a segment. Without a separator in between it is joined to the previous one."""
        if not text:
            return
        if self._pending and self._length:
            self._parts.append(self._pending)
            self._length += len(self._pending)
        self._pending = ""
        self._segments.append(Segment(self._length, text, address, label, source))
        self._parts.append(text)
        self._length += len(text)

    def cut(self, separator: str = "\n") -> None:
        """End a block (a new line), a cell (a tab), or a word (a space); of several, the strongest is used."""
        self._pending = max(self._pending, separator, key=_STRENGTH.index)

    @property
    def at_start(self) -> bool:
        """Whether the next segment begins the text, a block or a cell."""
        return bool(self._pending) or not self._length

    def build(self, name: str = "", meta: Mapping[str, str] | None = None) -> MappedText[A]:
        return MappedText("".join(self._parts), tuple(self._segments), name, meta or {})


def _stripped(segment: Segment[A]) -> Segment[A]:
    text = segment.text.strip()
    return replace(segment, start=segment.start + segment.text.find(text), text=text)


def _parts(replacement: str, separators: Sequence[str]) -> list[str]:
    """The replacement split at the separators, or in one part if it does not have them."""
    parts, rest = [], replacement
    for separator in separators:
        part, found, rest = rest.partition(separator)
        if not found:
            return [replacement, *("" for _ in separators)]
        parts.append(part)
    return [*parts, rest]


def _once(changes: list[SegmentEdit[A]]) -> list[SegmentEdit[A]]:
    """The changes, with those of segments that share an address combined under the first of these segments.

    If two overlap, their union is replaced by the text of the first.
    """
    at: dict[A, list[SegmentEdit[A]]] = {}
    for change in changes:
        at.setdefault(change.segment.address, []).append(change)
    if all(each.segment is group[0].segment for group in at.values() for each in group):
        return changes
    done: list[SegmentEdit[A]] = []
    for group in at.values():
        merged: list[SegmentEdit[A]] = []
        for change in sorted(group, key=lambda each: each.start):
            if merged and change.start < merged[-1].end:
                merged[-1] = merged[-1]._replace(end=max(change.end, merged[-1].end))
            else:
                merged.append(change._replace(segment=group[0].segment))
        done += merged
    return done


def _applied(text: str, changes: Iterable[SegmentEdit[A]]) -> str:
    parts, end = [], 0
    for change in changes:
        parts += [text[end : change.start], change.replacement]
        end = change.end
    return "".join((*parts, text[end:]))
