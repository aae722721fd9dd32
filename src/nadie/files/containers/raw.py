"""Containers that are one long string with markup and escapes: HTML, RTF, HL7, mail.

The address of a segment is its range in the raw string. If the segment's text is spelled exactly like the raw string,
only the replaced characters change; otherwise (`&ntilde;`, `\\'f1`, collapsed white space) the whole range changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nadie.files.container import Edits
from nadie.files.mapped import MappedText

Range = tuple[int, int]


def spliced(
    raw: str,
    text: MappedText[Range],
    edits: Edits,
    escaped: Callable[[str, Range], str],
    beside: Iterable[tuple[int, int, str]] = (),
) -> str:
    """The raw string with the edits of its text, each replacement escaped as required at its place.

    `beside` are changes outside the text, as for `replaced`.
    """
    return replaced(raw, [*changes_of(raw, text, edits, escaped), *beside])


def changes_of(
    raw: str, text: MappedText[Range], edits: Edits, escaped: Callable[[str, Range], str]
) -> list[tuple[int, int, str]]:
    """The changes for the edits of a text, as ranges of the raw string with their replacements."""
    exact: list[tuple[int, int, str]] = []
    for change in text.split(edits):
        start, end = change.segment.address
        if raw[start:end] == change.segment.text:
            exact.append((start + change.start, start + change.end, escaped(change.replacement, (start, end))))
    whole = [
        (*segment.address, escaped(new, segment.address))
        for segment, new in text.changes(edits)
        if raw[slice(*segment.address)] != segment.text
    ]
    return [*exact, *whole]


def replaced(raw: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The raw string with some ranges replaced; if two overlap, the first and longest replaces both."""
    parts, end = [], 0
    for start, stop, new in sorted(changes, key=lambda change: (change[0], -change[1])):
        if start >= end:
            parts += [raw[end:start], new]
        end = max(stop, end)
    return "".join((*parts, raw[end:]))
