"""Base64 data in FHIR resources: attachments, `Binary`, signatures."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from nadie.files.containers.health.embedded import Files, from_base64, to_base64
from nadie.files.containers.health.fhir_leaves import ValueAddress, masked
from nadie.files.containers.health.record import Change, HealthRecord
from nadie.files.containers.markup.json_tree import Node, spelled


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
