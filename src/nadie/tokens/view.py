"""A normalised view of a text, with an exact map back to the text as stored.

Detectors see composed accents, plain spaces and newlines, ordinary digits and no invisible characters, and text whose
damage is undone (`damage.py`); the spans they give are carried back to code points of the original. The original itself
is never changed.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nadie.document import Document, Span
from nadie.tokens.damage import repairs

# Seen as nothing at all: byte order mark, soft hyphen, joiners, direction marks, variation selectors.
_INVISIBLE = frozenset("\ufeff\u00ad\u200b\u200c\u200d\u2060\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufe0e\ufe0f")
# Characters that NFKC would change though they mean something in Spanish text.
_KEPT = frozenset("ºª²³¹½¼¾…´¨¯¸µ")


@dataclass(frozen=True, slots=True)
class View:
    """`text` is what detectors see; character i of it comes from `original[starts[i]:ends[i]]`."""

    text: str
    starts: array[int] | None
    ends: array[int] | None

    def to_original(self, start: int, end: int) -> tuple[int, int]:
        if self.starts is None or self.ends is None:
            return start, end
        return self.starts[start], self.ends[end - 1]

    def to_view(self, start: int, end: int) -> tuple[int, int] | None:
        """The stretch of the view that covers an original stretch; None where nothing visible is in it."""
        if self.starts is None or self.ends is None:
            return start, end
        inside = [i for i, (a, b) in enumerate(zip(self.starts, self.ends, strict=True)) if a < end and b > start]
        return (inside[0], inside[-1] + 1) if inside else None

    def span_to_original(self, span: Span) -> Span:
        start, end = self.to_original(span.start, span.end)
        return Span(start, end, span.label, span.score, span.source)


def view_of(text: str) -> View:
    """The view of `text`; the text itself, with no map, where nothing has to change."""
    return _repaired(_composed(text))


def _repaired(view: View) -> View:
    """The view with its damage undone. A letter that is removed belongs to none of the letters beside it."""
    found = repairs(view.text)
    if not found:
        return view
    parts: list[str] = []
    starts, ends = array("q"), array("q")
    own_starts = view.starts or range(len(view.text))
    own_ends = view.ends or range(1, len(view.text) + 1)
    done = 0
    for first, last, right in [*found, (len(view.text), len(view.text), "")]:
        parts += [view.text[done:first], right]
        for places, own in ((starts, own_starts), (ends, own_ends)):
            places.extend(own[done : first + len(right)])
        if right:
            ends[-1] = own_ends[last - 1]
        done = last
    return View("".join(parts), starts, ends)


def _composed(text: str) -> View:
    if _UNCHANGED.fullmatch(text):
        return View(text, None, None)
    parts: list[str] = []
    starts, ends = array("q"), array("q")
    done = 0
    for first, last in _changing(text):
        parts.append(text[done:first])
        starts.extend(range(done, first))
        ends.extend(range(done + 1, first + 1))
        for start, end in _clusters(text, first, last):
            visible = _normalised(text[start:end])
            parts.append(visible)
            starts.extend([start] * len(visible))
            ends.extend([end] * len(visible))
        done = last
    parts.append(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    seen = "".join(parts)
    if seen == text:
        return View(text, None, None)
    return View(seen, starts, ends)


def _changing(text: str) -> Iterator[tuple[int, int]]:
    """The stretches outside of which the view leaves every character alone."""
    done = 0
    for match in _OTHERS.finditer(text):
        first, last = match.span()
        if first > done and unicodedata.combining(text[first]):
            first -= 1  # the character that the mark belongs to
        if text[last - 1] == "\r" and text[last : last + 1] == "\n":
            last += 1
        yield first, last
        done = last


def seen(document: Document) -> Document:
    """An annotated document as a detector sees it: what a system is trained on."""
    view = view_of(document.text)
    if view.starts is None:
        return document
    places = ((view.to_view(span.start, span.end), span) for span in document.spans)
    spans = tuple(Span(*place, span.label, span.score, span.source) for place, span in places if place is not None)
    return Document(document.id, view.text, _united(spans), document.meta)


def _united(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Spans of one label that touch each other become one: two halves of a word that was divided by a line break."""
    found: list[Span] = []
    for span in spans:
        if found and found[-1].end == span.start and found[-1].label == span.label:
            found[-1] = replace(found[-1], end=span.end)
        else:
            found.append(span)
    return tuple(found)


def _clusters(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Stretches that are normalised together: CR LF, or a character with its combining marks."""
    start = first
    while start < last:
        end = start + 1
        if text[start] == "\r" and text[end : end + 1] == "\n":
            end += 1
        else:
            while end < last and text[end] > "\u02ff" and unicodedata.combining(text[end]):
                end += 1
        yield start, end
        start = end


def _normalised(cluster: str) -> str:
    if cluster < "\x7f" and len(cluster) == 1:
        return " " if cluster in "\t\x0b\x0c" else "\n" if cluster == "\r" else cluster
    if cluster == "\r\n":
        return "\n"
    if cluster in _INVISIBLE:
        return ""
    if cluster in _KEPT:
        return cluster
    if cluster in "\u2028\u2029\x85":
        return "\n"
    return unicodedata.normalize("NFKC", "".join(c for c in cluster if c not in _INVISIBLE))


# Nearly every note is made of characters that the view leaves alone, and is known by one look with this.
_ALONE = re.escape("".join(c for c in map(chr, range(0x180)) if _normalised(c) == c) + "–—‘’“”…•€")
_UNCHANGED = re.compile(f"[{_ALONE}]*")
_OTHERS = re.compile(f"[^{_ALONE}]+")
