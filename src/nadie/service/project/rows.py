"""The SQLite tables of a project's documents, and reading and writing them within a transaction."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from nadie.document import Document, Span
from nadie.errors import ConfigError
from nadie.service import remarks
from nadie.service.merging import Change, checked_spans
from nadie.service.problems import ProblemError
from nadie.service.project import patients
from nadie.service.schemas import ChosenBody, PatientSource

_SCHEMA_VERSION = 1
_TABLES = (
    """CREATE TABLE document (
        id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL,
        characters INTEGER NOT NULL, model TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('todo', 'reviewed')), version INTEGER NOT NULL,
        changed TEXT NOT NULL, editor TEXT NOT NULL
    )""",
    """CREATE TABLE span (
        document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
        start INTEGER NOT NULL, end INTEGER NOT NULL, label TEXT NOT NULL, score REAL NOT NULL, source TEXT NOT NULL,
        PRIMARY KEY (document, start, end, label)
    ) WITHOUT ROWID""",
    """CREATE TABLE change (
        id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL,
        at TEXT NOT NULL, editor TEXT NOT NULL, removed TEXT NOT NULL, added TEXT NOT NULL
    )""",
)

_LOG = "INSERT INTO change (document, version, kind, at, editor, removed, added) VALUES (?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Stored:
    """A document of the project."""

    id: int
    name: str
    text: str
    model: str
    state: str
    version: int
    changed: str
    editor: str
    spans: tuple[Span, ...] = ()
    patient: str = ""
    patient_source: PatientSource = ""
    comments: tuple[remarks.Comment, ...] = ()
    replacements: tuple[ChosenBody, ...] = ()

    @property
    def document(self) -> Document:
        """The document as input of the engine."""
        patient = patients.for_engine(self.name, self.patient, self.patient_source)
        return Document(self.name, self.text, self.spans, {"patient": patient} if patient else {})


_FILES = (
    """CREATE TABLE IF NOT EXISTS file (
           id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, patient_field TEXT NOT NULL, content BLOB NOT NULL
       )""",
    """CREATE TABLE IF NOT EXISTS file_document (
           document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
           file INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE, place INTEGER NOT NULL
       )""",
    """CREATE TRIGGER IF NOT EXISTS file_of_deleted BEFORE DELETE ON document BEGIN
           DELETE FROM file WHERE id IN (SELECT file FROM file_document WHERE document = OLD.id);
       END""",
)
"""Files that the documents came from: see `stored_files`."""


def create(db: sqlite3.Connection) -> None:
    """Create the tables if they do not exist."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        for statement in _TABLES:
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
    elif version != _SCHEMA_VERSION:
        raise ConfigError(f"the project has version {version}, this version of nadie reads {_SCHEMA_VERSION}")
    for statement in (*patients.TABLES, *remarks.TABLES, *_FILES):
        db.execute(statement)
    # The documents of a project that was created before patients were stored.
    for stored in every(db, "id NOT IN (SELECT document FROM patient)"):
        with_patient(db, stored)


def get(db: sqlite3.Connection, id: int) -> Stored:  # noqa: A002
    """The document with that id; a problem if there is none."""
    columns = "id, name, text, model, state, version, changed, editor"
    row = db.execute(f"SELECT {columns} FROM document WHERE id = ?", (id,)).fetchone()  # noqa: S608
    if row is None:
        raise ProblemError("not-found")
    spans = db.execute(
        "SELECT start, end, label, score, source FROM span WHERE document = ? ORDER BY start, end", (id,)
    )
    patient: tuple[str, PatientSource] = db.execute(
        "SELECT patient, source FROM patient WHERE document = ?", (id,)
    ).fetchone() or ("", "")
    return replace(
        Stored(*row),
        spans=unpacked(spans.fetchall()),
        patient=patient[0],
        patient_source=patient[1],
        comments=remarks.comments_of(db, id),
        replacements=remarks.replacements_of(db, id),
    )


def add(db: sqlite3.Connection, new: Stored, patient_field: str = "") -> Stored:
    """Add a document, with a new id, the time, and a number in its name if the name exists."""
    new = replace(new, name=free_name(db, new.name), changed=now(), spans=checked_spans(new.text, new.spans))
    values = (new.name, new.text, len(new.text), new.model, new.state, new.version, new.changed, new.editor)
    added = db.execute(
        """INSERT INTO document (name, text, characters, model, state, version, changed, editor)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?)""",
        values,
    )
    stored = replace(new, id=added.lastrowid or 0)
    put_spans(db, stored.id, stored.spans)
    stored = with_patient(db, stored, field=patient_field)
    log(db, stored, "added", Change(stored.id, stored.version, (), stored.spans))
    return stored


def every(db: sqlite3.Connection, where: str = "TRUE", *values: str) -> Iterator[Stored]:
    """The documents that satisfy the condition, in the order in which they were added."""
    for (id,) in db.execute(f"SELECT id FROM document WHERE {where} ORDER BY id", values).fetchall():  # noqa: A001, S608
        yield get(db, id)


def with_patient(
    db: sqlite3.Connection, stored: Stored, *, field: str | None = None, by_hand: str | None = None
) -> Stored:
    known = patients.put(db, stored.id, Document(stored.name, stored.text, stored.spans), field=field, by_hand=by_hand)
    return replace(stored, patient=known.patient, patient_source=known.source)


def put_spans(db: sqlite3.Connection, id: int, spans: Sequence[Span]) -> None:  # noqa: A002
    db.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?, ?)", [(id, *span) for span in packed(spans)])


def log(db: sqlite3.Connection, stored: Stored, event: str, change: Change) -> None:
    """Write a change of a document, made by its editor, to the change log."""
    spans = (json.dumps(packed(change.remove)), json.dumps(packed(change.add)))
    db.execute(_LOG, (stored.id, stored.version, event, stored.changed, stored.editor, *spans))


def log_by(db: sqlite3.Connection, stored: Stored, event: str, editor: str) -> None:
    """Write to the change log what somebody did with a document whose spans and version stay."""
    log(db, replace(stored, editor=editor, changed=now()), event, Change(stored.id, stored.version))


def log_detail(
    db: sqlite3.Connection, editor: str, event: str, detail: Mapping[str, object], document: int = 0
) -> None:
    """Write an event with details to the change log: of one document, or of none (0)."""
    db.execute(_LOG, (document, 0, event, now(), editor, "[]", json.dumps(detail)))


def packed(spans: Sequence[Span]) -> list[list[Any]]:
    """Spans as lists, for JSON."""
    return [[span.start, span.end, span.label, span.score, span.source] for span in spans]


def unpacked(spans: Sequence[Sequence[Any]]) -> tuple[Span, ...]:
    return tuple(Span(*span) for span in spans)


def free_name(db: sqlite3.Connection, name: str) -> str:
    """The name, followed by a number if a document has it already."""
    candidate, number = name, 2
    while db.execute("SELECT 1 FROM document WHERE name = ?", (candidate,)).fetchone():
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
