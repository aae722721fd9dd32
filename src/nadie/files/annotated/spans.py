"""Spans of a file, validated against the text.

Errors are a `ValueError` whose message has only numbers and fixed phrases, so that a format can show it with the file
and the line: a malformed line may contain document text, which is never quoted.
"""

from __future__ import annotations

import re

from nadie.document import Span
from nadie.labels import is_label

_NUMBER = re.compile(r"[0-9]{1,9}")


def checked_span(start: int, end: int, label: object, text: str) -> Span:
    """The span, if it is valid for `text`."""
    if not isinstance(label, str) or not is_label(label):
        raise ValueError("the label is not one of the 29, nor can it be one of your own")
    if start < 0 or end > len(text):
        raise ValueError(f"the span {start}..{end} is outside the text, which has {len(text)} characters")
    if end <= start:
        raise ValueError(f"the span {start}..{end} ends before it begins, or is empty")
    return Span(start, end, label)


def offset(written: str) -> int:
    """An offset in plain digits: no sign, no white space, no digits of other scripts."""
    if not _NUMBER.fullmatch(written):
        raise ValueError("an offset is not a whole number")
    return int(written)
