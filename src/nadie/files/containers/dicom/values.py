"""Conversion between values of DICOM attributes and text, within the limits of their value representation."""

from __future__ import annotations

import hmac
import re
from datetime import date
from typing import Any

_LONGEST = {"SH": 16, "LO": 64, "PN": 64, "ST": 1024, "LT": 10240}
_DUMMIES = {"DA": "19000101", "DT": "19000101", "TM": "000000", "AS": "000Y", "IS": "0", "DS": "0", "PN": "Anonymous"}
_ISO = re.compile(r"(\d{4})-(\d{2})-(\d{2})")
_TEXT = frozenset({"LO", "SH", "ST", "LT", "UT", "UC"})
_UUID_ROOT = "2.25."


def text_of(value: Any, vr: str) -> str:
    """The text of a value: dates with hyphens, names in spoken order."""
    raw = str(value)
    if vr in ("DA", "DT"):
        return f"{raw[:4]}-{raw[4:6]}-{raw[6:8]}" if re.match(r"\d{8}", raw) else ""
    if vr == "PN":
        family, given, middle, *_ = (*raw.split("=")[0].split("^"), "", "", "")
        return " ".join(part.strip() for part in (given, middle, family) if part.strip())
    return raw


def value_of(text: str, vr: str) -> str | None:
    """The value for a replacement text; None if the value representation does not allow it."""
    if vr in ("DA", "DT"):
        match = _ISO.fullmatch(text.strip())
        if match is None:
            return None
        try:
            return date(*(int(part) for part in match.groups())).strftime("%Y%m%d")
        except ValueError:
            return None
    if vr == "PN" and not text.startswith("["):
        given, _, family = text.strip().partition(" ")
        text = f"{family}^{given}" if family else given
    text = text.replace("\\", "/") if vr not in ("ST", "LT", "UT") else text
    return text if len(text) <= _LONGEST.get(vr, len(text)) else None


def dummy(vr: str) -> str | None:
    """A dummy value without information."""
    return "ANONYMIZED" if vr in _TEXT else _DUMMIES.get(vr)


def new_uid(uid: str, key: bytes) -> str:
    """The replacement of a UID, always the same for the same key."""
    digest = hmac.digest(key, str(uid).strip("\0 ").encode(), "sha256")
    return _UUID_ROOT + str(int.from_bytes(digest[:16]))
