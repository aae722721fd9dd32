"""Primitive values of FHIR in JSON: valid replacements, masking if there is none, and files in base64.

A value that must be replaced but has no valid replacement (a label in place of a date, an image) is removed in FHIR's
own way: an extension says that it was masked.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from nadie.files.container import Edits
from nadie.files.containers.health.embedded import Files, from_base64, to_base64
from nadie.files.containers.health.record import Change, HealthRecord, RecordValue
from nadie.files.containers.markup.json_tree import Node, spelled
from nadie.files.containers.raw import replaced

Finish = Callable[[str], str | None]
"""The new value from the new text, or None if that is not valid."""

_MASKED = (
    '{"extension": [{"url": "http://hl7.org/fhir/StructureDefinition/data-absent-reason", "valueCode": "masked"}]}'
)
_GONE = "\0"  # never occurs in JSON; superfluous commas around it are removed at the end
_DATE = re.compile(r"[0-9]{4}(?:-[0-9]{2}(?:-[0-9]{2})?)?")


class ValueAddress(NamedTuple):
    """A value with its object and property; the property is the value itself or an array."""

    node: Node
    owner: Node
    property: Node


def text_value(address: ValueAddress, finish: Finish | None = None, text: str | None = None) -> RecordValue:
    """A value with its own text, or with another text that represents it."""
    original = address.node.text if text is None else text

    def changed(edits: Sequence[Edits]) -> Iterable[Change]:
        new = replaced(original, edits[0])
        finished = finish(new) if finish else new
        return masked(address) if not finished else [(address.node.start, address.node.end, spelled(finished))]

    return RecordValue(changed)


def date_text(value: str) -> str:
    """The date of a date with or without a time; other values unchanged."""
    match = _DATE.match(value)
    return match[0] if match and value[match.end() : match.end() + 1] in ("", "T") else value


def date_finish(value: str, *, is_instant: bool) -> Finish:
    """Append the time to a new date, if the new value is a date."""
    time = value[len(date_text(value)) :]

    def finish(new: str) -> str | None:
        if not _DATE.fullmatch(new) or (is_instant and len(new) < len("2000-01-01")):
            return None
        return new + time if len(new) == len("2000-01-01") else new

    return finish


def masked(address: ValueAddress) -> list[Change]:
    """Remove the property, including the other values of an array."""
    member = address.property
    if f"_{member.name}" in address.owner.members() or member.name_start < 0:
        return [(member.name_start if member.name_start >= 0 else member.start, member.end, _GONE)]
    others = address.owner.members()
    if member.name.startswith("value") and "url" in others and "extension" not in others:
        return [(member.name_start, member.end, _MASKED[1:-1])]  # an extension cannot have `_value`
    count = len(member.items)
    new = f"[{', '.join([_MASKED] * count)}]" if member.kind == "array" else _MASKED
    return [(member.name_start, member.end, f"{spelled('_' + member.name)}: {new}")]


def dropped(member: Node) -> list[Change]:
    """Remove a member of an object with its name."""
    return [(member.name_start, member.end, _GONE)]


def embed_attachment(files: Files, node: Node, record: HealthRecord) -> None:
    """Open the data of an attachment or a `Binary`. Size and hash are updated if the data change."""
    members = node.members()
    data = members.get("data")
    hashed = ValueAddress(members["hash"], node, members["hash"]) if "hash" in members else None
    if data is None or data.kind != "string" or not data.text.strip():
        record.fixed += masked(hashed) if hashed else []
        return
    kind = members["contentType"].text if "contentType" in members else ""
    embed_data(files, ValueAddress(data, node, data), record, kind, hashed, members.get("size"))


def embed_data(
    files: Files,
    address: ValueAddress,
    record: HealthRecord,
    kind: str = "",
    hashed: ValueAddress | None = None,
    size: Node | None = None,
) -> None:
    """Open base64 data; data that cannot be covered are masked."""
    without = [*masked(address), *(masked(hashed) if hashed else [])]
    content = from_base64(address.node.text)
    files.embed(record, content, kind, lambda new: _changes(new, address.node, hashed, size), without)


def _changes(content: bytes, data: Node, hashed: ValueAddress | None, size: Node | None) -> Iterable[Change]:
    yield data.start, data.end, spelled(to_base64(content))
    if hashed is not None:
        digest = to_base64(hashlib.sha1(content, usedforsecurity=False).digest())
        yield hashed.node.start, hashed.node.end, spelled(digest)
    if size is not None and size.kind in ("scalar", "string"):
        yield size.start, size.end, spelled(str(len(content))) if size.kind == "string" else str(len(content))


def written(raw: str, changes: Iterable[Change]) -> str:
    """The JSON with all changes."""
    new = replaced(raw, changes)
    if _GONE not in new:
        return new
    new = re.sub(rf"{_GONE}[ \t\r\n]*,[ \t\r\n]*", "", new)
    return re.sub(rf"(?:,[ \t\r\n]*)?{_GONE}", "", new)
