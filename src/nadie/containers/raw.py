"""Containers that are one long string with markup and escapes in it: HTML, RTF, HL7, mail.

The address of a segment is its range in the raw string. Where the segment's text is spelled just like the raw string,
only the characters that are replaced change; where it is not (`&ntilde;`, `\\'f1`, white space shown as one space), the
whole range does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from nadie.containers.base import Edits
from nadie.containers.mapped import MappedText

Range = tuple[int, int]


def spliced(raw: str, text: MappedText[Range], edits: Edits, escaped: Callable[[str, Range], str]) -> str:
    """The raw string with the edits of its text, each replacement escaped as its place in the format asks."""
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
    return replaced(raw, [*exact, *whole])


def replaced(raw: str, changes: Iterable[tuple[int, int, str]]) -> str:
    """The raw string with other characters in some ranges, which do not overlap."""
    parts, end = [], 0
    for start, stop, new in sorted(changes):
        parts += [raw[end:start], new]
        end = stop
    return "".join((*parts, raw[end:]))
