"""Other occurrences of the same words: for "everywhere in this document" and "in all documents".

The review page has the same rule in `page/occurrences.js`; both are tested with one table of cases.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator

from nadie.document import Span

_SPACES = frozenset("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}


def occurrences(text: str, words: str) -> Iterator[tuple[int, int]]:
    """The occurrences of `words` as whole words, ignoring case and differences of white space."""
    if not _may_have(text, words):
        return
    wanted, searched = _folded(words), _folded(text)
    start = searched.find(wanted) if wanted.strip() else -1
    while start >= 0:
        end = start + len(wanted)
        if _whole(text, start, end):
            yield start, end
            start = searched.find(wanted, end)
        else:
            start = searched.find(wanted, start + 1)


def _may_have(text: str, words: str) -> bool:
    """Whether the longest word is in the text at all: a quick test for projects of thousands of documents."""
    longest = max(words.lower().split(), key=len, default="")
    return not longest.isalnum() or max(longest) > "\u024f" or longest in text.lower()


def marking(
    text: str, spans: Iterable[Span], words: str, label: str, having: str | None = None
) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """The spans to remove and to add so that `words` have `label` everywhere.

    A span with exactly these words gets the label; words inside another span, or across its border, are not changed.
    With `having`, only spans with that label get the new one.
    """
    here = tuple(spans)
    remove: list[Span] = []
    add: list[Span] = []
    for start, end in occurrences(text, words):
        touching = [span for span in here if span.start < end and start < span.end]
        exact = len(touching) == 1 and (touching[0].start, touching[0].end) == (start, end)
        if touching and (not exact or (touching[0].label == label and touching[0].score == 1.0)):
            continue
        if having is not None and (not touching or touching[0].label != having):
            continue
        remove += touching
        add.append(Span(start, end, label, 1.0, "person"))
    return tuple(remove), tuple(add)


def unmarking(text: str, spans: Iterable[Span], words: str, having: str | None = None) -> tuple[Span, ...]:
    """The spans with exactly these words and, with `having`, that label."""
    found = set(occurrences(text, words))
    return tuple(s for s in spans if (s.start, s.end) in found and having in (None, s.label))


def _folded(text: str) -> str:
    """The text in lower case and with one kind of space, without changing offsets."""
    return "".join(" " if c in _SPACES else low if len(low := c.lower()) == 1 else c for c in text)


def _whole(text: str, start: int, end: int) -> bool:
    cuts_before = start > 0 and _in_word(text[start - 1]) and _in_word(text[start])
    cuts_after = end < len(text) and _in_word(text[end - 1]) and _in_word(text[end])
    return not cuts_before and not cuts_after


def _in_word(character: str) -> bool:
    """Whether it is a letter, a digit, or a combining mark after one in decomposed text."""
    return unicodedata.category(character)[0] in "LNM"
