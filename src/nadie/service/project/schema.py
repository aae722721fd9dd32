"""The tables of a project's database, and the steps from an older version to the current one."""

from __future__ import annotations

import sqlite3

from nadie.errors import ConfigError
from nadie.service import remarks
from nadie.service.project import patients, trail

VERSION = 2
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
    trail.TABLE,
)
_FILES = (
    """CREATE TABLE IF NOT EXISTS file (
           id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL, patient_field TEXT NOT NULL, content BLOB NOT NULL
       )""",
    """CREATE TABLE IF NOT EXISTS file_document (
           document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
           file INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE, place INTEGER NOT NULL
       )""",
    """CREATE TABLE IF NOT EXISTS scanned_file (
           file INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE,
           version INTEGER NOT NULL, boxes TEXT NOT NULL
       )""",
    """CREATE TRIGGER IF NOT EXISTS file_of_deleted BEFORE DELETE ON document BEGIN
           DELETE FROM file WHERE id IN (SELECT file FROM file_document WHERE document = OLD.id);
       END""",
)
"""Files that the documents came from: see `stored_files`."""
_TEAM = (
    """CREATE TABLE IF NOT EXISTS assignment (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE, reviewer TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS second_reading (
        document INTEGER PRIMARY KEY REFERENCES document (id) ON DELETE CASCADE,
        copy INTEGER UNIQUE REFERENCES document (id) ON DELETE SET NULL,
        adjudicator TEXT, at TEXT, first TEXT, second TEXT)""",
    """CREATE TRIGGER IF NOT EXISTS remove_copy BEFORE DELETE ON document BEGIN
        DELETE FROM document WHERE id = (SELECT copy FROM second_reading WHERE document = OLD.id); END""",
    """CREATE TABLE IF NOT EXISTS working_time (
        document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE, editor TEXT NOT NULL,
        seconds REAL NOT NULL, PRIMARY KEY (document, editor)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS guidelines (
        id INTEGER PRIMARY KEY CHECK (id = 1), text TEXT NOT NULL, at TEXT NOT NULL, editor TEXT NOT NULL)""",
)
"""Reviewers, second readings, times and guidelines: see `team`."""


def create(db: sqlite3.Connection) -> None:
    """Create the tables if they do not exist, and bring those of an older version up to date."""
    version = db.execute("PRAGMA user_version").fetchone()[0]
    if version > VERSION:
        raise ConfigError(f"the project has version {version}, this nadie reads up to {VERSION}: use a newer nadie")
    if version == 0:
        for statement in _TABLES:
            db.execute(statement)
    for statement in (*patients.TABLES, *remarks.TABLES, *_FILES, *_TEAM):
        db.execute(statement)
    if version == 1:
        db.execute("ALTER TABLE change ADD COLUMN hash TEXT NOT NULL DEFAULT ''")
        trail.seal(db)
    if version != VERSION:
        db.execute(f"PRAGMA user_version = {VERSION}")
