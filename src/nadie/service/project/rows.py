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
from nadie.service.merging import Change
from nadie.service.project import patients

_SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE document (
    id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, text TEXT NOT NULL, characters INTEGER NOT NULL,
    model TEXT NOT NULL, state TEXT NOT NULL CHECK (state IN ('todo', 'reviewed')), version INTEGER NOT NULL,
    changed TEXT NOT NULL, editor TEXT NOT NULL
);
CREATE TABLE span (
    document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE, start INTEGER NOT NULL, end INTEGER NOT NULL,
    label TEXT NOT NULL, score REAL NOT NULL, source TEXT NOT NULL, PRIMARY KEY (document, start, end, label)
) WITHOUT ROWID;
CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL,
    at TEXT NOT NULL, editor TEXT NOT NULL, removed TEXT NOT NULL, added TEXT NOT NULL
);
"""


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
    patient_source: patients.Source = ""
    comments: tuple[remarks.Comment, ...] = ()
    replacements: tuple[remarks.Chosen, ...] = ()

    @property
    def document(self) -> Document:
        """The document as input of the engine."""
        patient = patients.for_engine(self.name, patients.Told(self.patient, self.patient_source))
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
"""Files that the documents came from: see `kept_files`."""


def create(db: sqlite3.Connection) -> None:
    """Create the tables if they do not exist."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version == 0:
        for statement in filter(str.strip, _SCHEMA.split(";")):
            db.execute(statement)
        db.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
    elif version != _SCHEMA_VERSION:
        raise ConfigError(f"the project has version {version}, this version of nadie reads {_SCHEMA_VERSION}")
    patients.create(db)
    remarks.create(db)
    for statement in _FILES:
        db.execute(statement)
    for stored in _without_patient(db):
        with_patient(db, stored)


def get(db: sqlite3.Connection, id: int) -> Stored | None:  # noqa: A002
    columns = "id, name, text, model, state, version, changed, editor"
    row = db.execute(f"SELECT {columns} FROM document WHERE id = ?", (id,)).fetchone()  # noqa: S608
    if row is None:
        return None
    spans = db.execute(
        "SELECT start, end, label, score, source FROM span WHERE document = ? ORDER BY start, end", (id,)
    )
    patient: tuple[str, patients.Source] = db.execute(
        "SELECT patient, source FROM patient WHERE document = ?", (id,)
    ).fetchone() or ("", "")
    found = tuple(Span(*span) for span in spans)
    return replace(
        Stored(*row),
        spans=found,
        patient=patient[0],
        patient_source=patient[1],
        comments=remarks.comments_of(db, id),
        replacements=remarks.replacements_of(db, id),
    )


def existing(db: sqlite3.Connection, id: int) -> Stored:  # noqa: A002
    stored = get(db, id)
    if stored is None:
        raise KeyError(id)
    return stored


def _without_patient(db: sqlite3.Connection) -> Iterator[Stored]:
    """The documents of a project that was created before patients were stored."""
    for (id,) in db.execute("SELECT id FROM document WHERE id NOT IN (SELECT document FROM patient)").fetchall():  # noqa: A001
        if (stored := get(db, id)) is not None:
            yield stored


def with_patient(
    db: sqlite3.Connection, stored: Stored, *, field: str | None = None, by_hand: str | None = None
) -> Stored:
    known = patients.put(db, stored.id, Document(stored.name, stored.text, stored.spans), field=field, by_hand=by_hand)
    return replace(stored, patient=known.patient, patient_source=known.source)


def put_spans(db: sqlite3.Connection, id: int, spans: Sequence[Span]) -> None:  # noqa: A002
    rows = [(id, span.start, span.end, span.label, span.score, span.source) for span in spans]
    db.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?, ?)", rows)


def log(db: sqlite3.Connection, stored: Stored, kind: str, change: Change) -> None:
    db.execute(
        "INSERT INTO change (document, version, kind, at, editor, removed, added) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (stored.id, stored.version, kind, stored.changed, stored.editor, _rows(change.remove), _rows(change.add)),
    )


def log_detail(db: sqlite3.Connection, editor: str, kind: str, detail: Mapping[str, object]) -> None:
    db.execute(
        """INSERT INTO change (document, version, kind, at, editor, removed, added)
           VALUES (0, 0, ?, ?, ?, '[]', ?)""",
        (kind, now(), editor, json.dumps(detail)),
    )


def _rows(spans: Sequence[Span]) -> str:
    return json.dumps([[span.start, span.end, span.label, span.score, span.source] for span in spans])


def free_name(db: sqlite3.Connection, name: str) -> str:
    def taken(candidate: str) -> Any:
        return db.execute("SELECT 1 FROM document WHERE name = ?", (candidate,)).fetchone()

    candidate, number = name, 2
    while taken(candidate):
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
