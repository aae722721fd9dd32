"""Primitive values of FHIR in their JSON: what their replacements have to be, and what stands there if they cannot be.

A value that may not stay and has no valid replacement (a label where a date belongs, an image) is taken out in FHIR's
own way: an extension says that it was masked.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from nadie.containers.base import Edits
from nadie.containers.health.record import Change, RecordValue
from nadie.containers.json_tree import Node, spelled
from nadie.containers.raw import replaced

Finish = Callable[[str], str | None]
"""The new value from the new text, or None where that is no valid one."""

_MASKED = (
    '{"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "masked"}]}'
)
_GONE = "\0"  # JSON never holds it; what is left of the commas around it is cleared up in the end
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


class LeafPlace(NamedTuple):
    """A value with the object and the property of it that hold it; the property is the value itself or an array."""

    node: Node
    owner: Node
    property: Node


def text_value(place: LeafPlace, finish: Finish | None = None, text: str | None = None) -> RecordValue:
    """A value whose text is its own, or another one that stands for it."""
    original = place.node.text if text is None else text

    def changed(edits: Sequence[Edits]) -> Iterable[Change]:
        new = replaced(original, edits[0])
        finished = finish(new) if finish else new
        return masked(place) if not finished else [(place.node.start, place.node.end, spelled(finished))]

    return RecordValue(changed)


def date_text(value: str) -> str:
    """The date of a date with or without a time; what is none as it is."""
    match = _DATE.match(value)
    return match[0] if match and value[match.end() : match.end() + 1] in ("", "T") else value


def date_finish(value: str, *, is_instant: bool) -> Finish:
    """Put the time back behind a new date, where that is one."""
    time = value[len(date_text(value)) :]

    def finish(new: str) -> str | None:
        if not _DATE.fullmatch(new) or (is_instant and len(new) < len("2000-01-01")):
            return None
        return new + time if len(new) == len("2000-01-01") else new

    return finish


def masked(place: LeafPlace) -> list[Change]:
    """Take the property out. Where others in the array could stay, they go as well."""
    member = place.property
    if f"_{member.name}" in place.owner.members() or member.name_start < 0:
        return [(member.name_start if member.name_start >= 0 else member.start, member.end, _GONE)]
    others = place.owner.members()
    if member.name.startswith("value") and "url" in others and "extension" not in others:
        return [(member.name_start, member.end, _MASKED[1:-1])]  # an extension has no place for `_value`
    count = len(member.items)
    new = f"[{', '.join([_MASKED] * count)}]" if member.kind == "array" else _MASKED
    return [(member.name_start, member.end, f"{spelled('_' + member.name)}: {new}")]


def written(raw: str, changes: Iterable[Change]) -> str:
    """The JSON with all changes."""
    new = replaced(raw, changes)
    if _GONE not in new:
        return new
    new = re.sub(rf"{_GONE}[ \t\r\n]*,[ \t\r\n]*", "", new)
    return re.sub(rf"(?:,[ \t\r\n]*)?{_GONE}", "", new)
