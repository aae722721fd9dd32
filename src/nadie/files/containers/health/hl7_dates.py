"""HL7 dates: read as `1954-03-05`, the form that the engine handles, and written as `19540305` again."""

from __future__ import annotations

import re

_DATE = re.compile(r"([0-9]{4})(?:(0[1-9]|1[0-2])(?:(0[1-9]|[12][0-9]|3[01]))?)?")
_TIME = re.compile(r"(?:[0-9]{2}(?:[0-9]{2}(?:[0-9]{2}(?:\.[0-9]{1,6})?)?)?)?(?:[+-][0-9]{4})?")
_ISO = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")
_LIKELY = re.compile(r"(?:19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[0-9]{4}(?:[0-9]{2})?)?")


def is_likely_date(value: str) -> bool:
    """Whether a value of unknown type looks like a date with or without a time."""
    return _LIKELY.fullmatch(value) is not None


def taken_apart(value: str) -> tuple[str, str]:
    """The date with hyphens, and the time; a value that is not an HL7 date is unchanged, without a time."""
    match = _DATE.match(value)
    if match is None or not _TIME.fullmatch(value, match.end()) or (match[3] is None and match.end() < len(value)):
        return value, ""
    return "-".join(part for part in match.groups() if part), value[match.end() :]


def put_together(new: str, time: str) -> str:
    """A date with hyphens in HL7 form; empty if the new value is not a date, such as a label."""
    if not _ISO.fullmatch(new):
        return ""
    return new.replace("-", "") + (time if len(new) == len("2000-01-01") else "")
