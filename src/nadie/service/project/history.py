"""Reading the change log of a project: the history of a document, its earlier versions, and the log of all events."""

from __future__ import annotations

import json
from typing import Any

from nadie.document import Span
from nadie.service.merging import ConflictError
from nadie.service.problems import ProblemError
from nadie.service.project.schemas import EventBody
from nadie.service.project.store import Project
from nadie.service.project.trail import COLUMNS, unpacked
from nadie.service.schemas import SpanBody, span_bodies

_MOST_EVENTS = 1_000


def history(project: Project, document: int, after: int = -1) -> list[EventBody]:
    """The changes of a document after that version, the oldest first; at most the last ones."""
    events = _events(project, "document = ? AND version > ?", document, after)[::-1]
    # A second reading looks as if it had been added with its document: its reader cannot tell that it is a copy.
    added = _events(
        project, "kind = 'added' AND document = (SELECT document FROM second_reading WHERE copy = ?)", document
    )
    as_first = {"at": added[0].at, "editor": added[0].editor} if added else {}
    return [event.model_copy(update=as_first) if event.kind == "added" else event for event in events]


def project_log(project: Project, before: int, limit: int) -> list[EventBody]:
    """All events of the project with a lower number, the newest first."""
    return _events(project, "id < ?", before, limit=limit)


def spans_of(project: Project, document: int, version: int) -> tuple[Span, ...]:
    """The spans that a document had in that version; a problem if there was none."""
    spans: set[Span] = set()
    found = False
    with project.reading() as db:
        query = "SELECT version, removed, added FROM change WHERE document = ? AND version > 0 ORDER BY id"
        for at, removed, added in db.execute(query, (document,)):
            if at > version:
                break
            new = unpacked(json.loads(added))
            spans = (spans - {*unpacked(json.loads(removed)), *new}) | set(new)
            found = found or at == version
    if not found:
        raise ProblemError("not-found", "the document has no such version")
    return tuple(sorted(spans))


def since(project: Project, conflict: ConflictError) -> list[EventBody]:
    """The changes by others at the places of a conflict, or all their changes if it names no place."""
    events = history(project, conflict.document, conflict.seen)
    if not conflict.places:
        return events
    return [event for event in events if any(_touches(span, conflict) for span in (*event.removed, *event.added))]


def _touches(span: SpanBody, conflict: ConflictError) -> bool:
    return any(span.start < end and start < span.end for start, end in conflict.places)


def _events(project: Project, where: str, *values: int, limit: int = _MOST_EVENTS) -> list[EventBody]:
    query = f"SELECT {COLUMNS}, hash FROM change WHERE {where} ORDER BY id DESC LIMIT ?"  # noqa: S608
    with project.reading() as db:
        return [_event(*row) for row in db.execute(query, (*values, min(limit, _MOST_EVENTS)))]


def _event(*row: Any) -> EventBody:
    id, document, version, kind, at, editor, removed, added, own = row  # noqa: A001
    content = json.loads(added)
    has_detail = isinstance(content, dict)
    return EventBody(
        id=id,
        document=document,
        version=version,
        kind=kind,
        at=at,
        editor=editor,
        removed=span_bodies(unpacked(json.loads(removed))),
        added=[] if has_detail else span_bodies(unpacked(content)),
        detail=content if has_detail else {},
        hash=own,
    )
