"""The change log of a project: who changed what, and when."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from nadie.document import Span
from nadie.service.merging import ConflictError
from nadie.service.project.store import Project

_MOST_EVENTS = 1_000


@dataclass(frozen=True, slots=True)
class Event:
    """One entry of the log. `detail` describes events other than changes of spans, such as the parts of an export."""

    document: int
    version: int
    kind: str
    at: str
    editor: str
    removed: tuple[Span, ...] = ()
    added: tuple[Span, ...] = ()
    detail: dict[str, Any] = field(default_factory=dict)


def history(project: Project, document: int, after: int = -1) -> list[Event]:
    """The changes of a document after that version, the oldest first; at most the last ones."""
    return _events(project, "document = ? AND version > ?", (document, after))


def project_log(project: Project) -> list[Event]:
    """Events without a single document, such as exports of originals and restores; the oldest first."""
    return _events(project, "document = 0", ())


def since(project: Project, conflict: ConflictError) -> list[Event]:
    """The changes by others at the places of a conflict, or all their changes if it names no place."""
    events = history(project, conflict.document, conflict.seen)
    if not conflict.places:
        return events
    return [event for event in events if any(_touches(span, conflict) for span in (*event.removed, *event.added))]


def _touches(span: Span, conflict: ConflictError) -> bool:
    return any(span.start < end and start < span.end for start, end in conflict.places)


def _events(project: Project, where: str, values: tuple[int, ...]) -> list[Event]:
    columns = "document, version, kind, at, editor, removed, added"
    query = f"SELECT {columns} FROM change WHERE {where} ORDER BY id DESC LIMIT {_MOST_EVENTS}"  # noqa: S608
    with project.reading() as db:
        rows = db.execute(query, values).fetchall()
    return [_event(row) for row in reversed(rows)]


def _event(row: tuple[Any, ...]) -> Event:
    document, version, kind, at, editor, removed, added = row
    content = json.loads(added)
    if isinstance(content, dict):
        return Event(document, version, kind, at, editor, detail=content)
    return Event(document, version, kind, at, editor, _spans(json.loads(removed)), _spans(content))


def _spans(rows: list[list[Any]]) -> tuple[Span, ...]:
    return tuple(Span(*row) for row in rows)
