"""Numbers to dial, for telephones and fax: how they are written, and whether they exist."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import phonenumbers

from nadie.detectors.patterns.base import digits_of, ends_alone, follows, precedes
from nadie.detectors.patterns.measures import has_scale, has_unit
from nadie.detectors.patterns.plain_text import PlainText, compiled

_MORE = r"(?:(?:[ .-]| - |\) ?)\d{1,10}){0,15}"
_NUMBER = (
    rf"(\(?(?:\+|\b00) ?\d{{1,3}}\)?[ .-]{{0,2}}(?:\(0?\d{{1,4}}\)[ .-]{{0,2}})?\d{{1,15}}{_MORE}|"
    rf"\(0?\d{{1,4}}\)[ .-]{{0,2}}\d{{1,15}}{_MORE}|\b9\d{{1,2}}/ ?\d{{6,7}}\b|\b\d{{1,15}}{_MORE})"
)
_EXTENSION = r"[ ,]{0,2}\(?(?:ext(?:ension)?|int(?:erno)?|anexo)\.?[ :]{0,2}\d{2,6}\)?"
_LONGEST = 15
# The lengths of the groups of digits of a national number: its possible first digits, and its score without a cue.
_SHAPES: dict[tuple[int, ...], tuple[str, float]] = {
    (9,): ("6789", 0.7),
    (10,): ("03", 0.65),
    (11,): ("0", 0.6),
    (3, 3, 3): ("6789", 0.92),
    (3, 2, 2, 2): ("6789", 0.95),
    (2, 3, 2, 2): ("89", 0.95),
    (3, 6): ("6789", 0.9),
    (2, 7): ("089", 0.7),
    (2, 3, 4): ("09", 0.7),
    (3, 2, 4): ("6789", 0.7),
    (4, 2, 2, 2): ("0123456789", 0.75),
    (2, 4, 4): ("123456789", 0.85),
    (3, 3, 4): ("2345678", 0.85),
    (3, 4, 4): ("0", 0.8),
    (4, 3, 4): ("0", 0.8),
    (4, 3, 2, 2): ("0", 0.85),
    (4, 7): ("0", 0.8),
    (4, 8): ("0", 0.7),
    (3, 2, 4, 4): ("0", 0.85),
    (1, 4, 4): ("29", 0.85),
    (3, 3, 2, 2): ("23456789", 0.85),
    (3, 7): ("23456789", 0.6),
    (2, 2, 2, 2, 2): ("23456789", 0.8),
}
_REGIONS = "ES MX CO AR CL PE EC UY VE BO CR DO GT CU PY PA SV HN NI".split()


class Dialled(NamedTuple):
    """`[start:end]` may be a number to dial; `score` is that without a cue."""

    start: int
    end: int
    digits: int
    score: float


def dialled(note: PlainText) -> Iterator[Dialled]:
    """Digits that are grouped like numbers to dial, in order."""
    passed = 0
    for match in note.scan(_NUMBER):
        for start, end in _parts(note, *match.span(1)):
            digits = digits_of(note.plain[start:end])
            if start < passed or not 3 <= len(digits) <= _LONGEST or not _is_whole(note, start, end):
                continue
            if extension := compiled(rf"(?i)\A{_EXTENSION}").search(note.raw[end : end + 24]):
                passed = end + extension.end()
                yield Dialled(start, passed, len(digits), 0.85 if len(digits) >= 7 else 0.0)
            else:
                quantity = has_unit(note, end) or has_scale(note, start)
                score = 0.0 if quantity else max(_score(note.plain[start:end]), _in_brackets(note, start, end))
                yield Dialled(start, end, len(digits), score)


def _parts(note: PlainText, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The numbers in a run of digits: it may be two numbers, or have a code before it or a word glued to its end."""
    if not ends_alone(note, end):
        end = start + len(note.plain[start : max(note.plain.rfind(" ", start, end), start)].rstrip(" -"))
    value = note.plain[start:end]
    if " - " in value:
        cut = start + value.index(" - ")
        if min(len(digits_of(note.plain[start:cut])), len(digits_of(note.plain[cut:end]))) >= 7:
            yield from _parts(note, start, cut)
            yield from _parts(note, cut + 3, end)
            return
    if len(digits_of(value)) > _LONGEST and value[:1].isdigit():
        yield from _in_a_row(note, start, end)
        return
    first = value.find(" ")
    if first > 5 and len(digits_of(value)) > 10 and value[0].isdigit() and not _score(value):
        yield start, start + first
        start += first + 1
    if start < end:
        yield start, end


def _in_a_row(note: PlainText, start: int, end: int) -> Iterator[tuple[int, int]]:
    """The numbers of a run with nothing but blanks between them, cut by the groups of their digits."""
    groups = [match.span() for match in compiled(r"\d+").finditer(note.raw[start:end])]
    i = 0
    while i < len(groups):
        for count in (4, 3, 2, 1):
            taken = groups[i : i + count]
            shape = tuple(b - a for a, b in taken)
            if note.plain[start + taken[0][0]] in _SHAPES.get(shape, ("",))[0]:
                yield start + taken[0][0], start + taken[-1][1]
                i += count
                break
        else:
            i += 1


def _is_whole(note: PlainText, start: int, end: int) -> bool:
    """Whether this is not part of a decimal, a date, a longer code or a word."""
    if not ends_alone(note, end) or follows(note, start, r"[a-z0-9_/+]|\d[.,-]|#", 2):
        return False
    return not precedes(note, end, r"[,/]\d|[.:-]\d", 2)


def _in_brackets(note: PlainText, start: int, end: int) -> float:
    """The score that brackets around a number of this length add: it is rarely anything else."""
    value = note.plain[start:end]
    grouped = any(c in value for c in " -") and 7 <= len(digits_of(value)) <= 12
    return 0.65 if grouped and follows(note, start, r"\(", 1) and precedes(note, end, r"\)", 1) else 0.0


def _score(value: str) -> float:
    digits = digits_of(value)
    if value.lstrip("(").startswith(("+", "00")):
        return _foreign(digits.removeprefix("00") if value.lstrip("(").startswith("00") else digits)
    if value.startswith("(") and ")" in value and 7 <= len(digits) <= 11:
        return 0.88
    groups = tuple(len(group) for group in "".join(c if c.isdigit() else " " for c in value).split())
    first, score = _SHAPES.get(groups, ("", 0.0))
    if digits[0] not in first or ("." in value and len(set(groups)) == 1 and len(groups) < 4):
        return 0.0  # points between groups of three are how a large count is written
    return score if _exists(digits) else score / 2


@lru_cache(maxsize=4096)
def _foreign(digits: str) -> float:
    try:
        number = phonenumbers.parse(f"+{digits}")
    except phonenumbers.NumberParseException:
        return 0.3
    if phonenumbers.is_valid_number(number):
        return 0.98
    return 0.9 if phonenumbers.is_possible_number(number) else 0.5


@lru_cache(maxsize=4096)
def _exists(digits: str) -> bool:
    """Whether this is a number of the national plan of a Spanish-speaking country."""
    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(digits, region)):
                return True
        except phonenumbers.NumberParseException:
            return False
    return False
