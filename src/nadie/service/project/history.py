"""The change log of a project: who changed what, and when."""

from __future__ import annotations

import json

from nadie.service.merging import ConflictError
from nadie.service.project.rows import unpacked
from nadie.service.project.schemas import EventBody
from nadie.service.project.store import Project
from nadie.service.schemas import SpanBody, span_bodies

_MOST_EVENTS = 1_000


def history(project: Project, document: int, after: int = -1) -> list[EventBody]:
    """The changes of a document after that version, the oldest first; at most the last ones."""
    return _events(project, "document = ? AND version > ?", document, after)


def project_log(project: Project) -> list[EventBody]:
    """Events without a single document, such as exports of originals and restores; the oldest first."""
    return _events(project, "document = 0")


def since(project: Project, conflict: ConflictError) -> list[EventBody]:
    """The changes by others at the places of a conflict, or all their changes if it names no place."""
    events = history(project, conflict.document, conflict.seen)
    if not conflict.places:
        return events
    return [event for event in events if any(_touches(span, conflict) for span in (*event.removed, *event.added))]


def _touches(span: SpanBody, conflict: ConflictError) -> bool:
    return any(span.start < end and start < span.end for start, end in conflict.places)


def _events(project: Project, where: str, *values: int) -> list[EventBody]:
    columns = "document, version, kind, at, editor, removed, added"
    query = f"SELECT {columns} FROM change WHERE {where} ORDER BY id DESC LIMIT {_MOST_EVENTS}"  # noqa: S608
    with project.reading() as db:
        rows = db.execute(query, values).fetchall()
    return [_event(*row) for row in reversed(rows)]


def _event(document: int, version: int, kind: str, at: str, editor: str, removed: str, added: str) -> EventBody:
    content = json.loads(added)
    has_detail = isinstance(content, dict)
    return EventBody(
        document=document,
        version=version,
        kind=kind,
        at=at,
        editor=editor,
        removed=span_bodies(unpacked(json.loads(removed))),
        added=[] if has_detail else span_bodies(unpacked(content)),
        detail=content if has_detail else {},
    )
