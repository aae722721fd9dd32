"""A project folder: documents, their states and every change, in SQLite, so that closing a browser loses nothing.

    DIR/project.sqlite3   the documents, their spans, and the log of changes
    DIR/training/         the documents whose state is "reviewed" as brat files, for `nadie train`. Others are left
                          out: what is not marked in them yet would be trained as not being PHI
    DIR/key               the secret that surrogates and date shifts of this project are derived from

All of it is PHI and can be read by its owner alone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from nadie.document import Document, Span
from nadie.errors import ConfigError, FormatError
from nadie.formats.brat import Brat
from nadie.service.merging import Change, ConflictError, checked_spans, merged

TO_DO, REVIEWED = "todo", "reviewed"
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


State = Literal["todo", "reviewed"]


@dataclass(frozen=True, slots=True)
class DocumentSummary:
    """A document as the list shows it."""

    id: int
    name: str
    state: State
    version: int
    characters: int
    spans: int
    doubtful: int
    changed: str
    editor: str


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


class Project:
    """One project folder. Every method is one transaction; several processes may work on the same folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._file = folder / "project.sqlite3"
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._file.touch(mode=0o600)
        with self._connection() as db:
            db.execute("PRAGMA journal_mode = WAL")
        with self._writing() as db:
            version = db.execute("PRAGMA user_version").fetchone()[0]
            if version == 0:
                for statement in filter(str.strip, _SCHEMA.split(";")):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {_SCHEMA_VERSION}")
            elif version != _SCHEMA_VERSION:
                raise ConfigError(f"the project {folder} has version {version}, this nadie reads {_SCHEMA_VERSION}")

    @property
    def name(self) -> str:
        return self.folder.resolve().name

    def revision(self) -> int:
        """A number that grows with every change of anything in the project."""
        with self._connection() as db:
            return int(db.execute("SELECT COALESCE(MAX(id), 0) FROM change").fetchone()[0])

    def entries(self, doubt: float) -> list[DocumentSummary]:
        """All documents, in the order they came; a span is doubtful below that score."""
        with self._connection() as db:
            rows = db.execute(
                """SELECT id, name, state, version, characters,
                          (SELECT COUNT(*) FROM span WHERE document = d.id),
                          (SELECT COUNT(*) FROM span WHERE document = d.id AND score < ?), changed, editor
                   FROM document d ORDER BY id""",
                (doubt,),
            ).fetchall()
        return [DocumentSummary(*row) for row in rows]

    def get(self, id: int) -> Stored | None:  # noqa: A002
        with self._connection() as db:
            db.execute("BEGIN")
            return _get(db, id)

    def documents(self, state: str | None = None) -> Iterator[Stored]:
        """The documents one by one, so that an export of any size needs the memory of one."""
        with self._connection() as db:
            where, values = ("", ()) if state is None else ("WHERE state = ?", (state,))
            ids = [row[0] for row in db.execute(f"SELECT id FROM document {where} ORDER BY id", values)]  # noqa: S608
        for id in ids:  # noqa: A001
            if (stored := self.get(id)) is not None:
                yield stored

    def add(self, name: str, text: str, spans: Sequence[Span], *, model: str, editor: str) -> Stored:
        """Take a document in. A name that is there already gets a number."""
        with self._writing() as db:
            values = (_free_name(db, name), text, len(text), model, TO_DO, _now(), editor)
            id = db.execute(  # noqa: A001
                """INSERT INTO document (name, text, characters, model, state, version, changed, editor)
                   VALUES (?, ?, ?, ?, ?, 1, ?, ?)""",
                values,
            ).lastrowid
            stored = Stored(id or 0, values[0], text, model, TO_DO, 1, values[5], editor, checked_spans(text, spans))
            _put_spans(db, stored.id, stored.spans)
            _log(db, stored, "added", Change(stored.id, 1, (), stored.spans))
        return stored

    def change(self, changes: Sequence[Change], editor: str) -> list[Stored]:
        """Make all the changes or none; `ConflictError` where one does not fit the current spans."""
        with self._writing() as db:
            return [self._change(db, change, editor) for change in changes]

    def change_all(self, of: Callable[[Stored], Change | None], editor: str) -> list[tuple[Stored, Change]]:
        """Make the change that `of` gives for each document, all in one transaction."""
        with self._writing() as db:
            done = []
            for (id,) in db.execute("SELECT id FROM document ORDER BY id").fetchall():  # noqa: A001
                stored = _get(db, id)
                change = None if stored is None else of(stored)
                if change is not None:
                    done.append((self._change(db, change, editor), change))
            return done

    def set_state(self, id: int, state: str, version: int, editor: str) -> Stored:  # noqa: A002
        """Say that a document is reviewed, or to do again. Only who saw the newest version may say so."""
        with self._writing() as db:
            stored = _get(db, id)
            if stored is None:
                raise KeyError(id)
            if stored.version != version:
                raise ConflictError(stored.version, ())
            return self._save(db, stored, stored.spans, state, editor, Change(id, version))

    def delete(self, id: int, editor: str) -> bool:  # noqa: A002
        """Remove a document; its text is overwritten in the file."""
        with self._writing() as db:
            stored = _get(db, id)
            if stored is None:
                return False
            db.execute("DELETE FROM document WHERE id = ?", (id,))
            _log(db, stored, "deleted", Change(id, stored.version))
            self._remove_training(id)
        with self._connection() as db:
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return True

    def _change(self, db: sqlite3.Connection, change: Change, editor: str) -> Stored:
        stored = _get(db, change.document)
        if stored is None:
            raise KeyError(change.document)
        spans = checked_spans(stored.text, merged(stored.spans, change, stored.version))
        return self._save(db, stored, spans, stored.state, editor, change)

    def _save(
        self, db: sqlite3.Connection, stored: Stored, spans: tuple[Span, ...], state: str, editor: str, change: Change
    ) -> Stored:
        new = Stored(
            stored.id, stored.name, stored.text, stored.model, state, stored.version + 1, _now(), editor, spans
        )
        db.execute(
            "UPDATE document SET state = ?, version = ?, changed = ?, editor = ? WHERE id = ?",
            (new.state, new.version, new.changed, new.editor, new.id),
        )
        if spans is not stored.spans:
            db.execute("DELETE FROM span WHERE document = ?", (new.id,))
            _put_spans(db, new.id, spans)
        _log(db, new, state if state != stored.state else "changed", change)
        if state == REVIEWED:
            self._write_training(new)
        else:
            self._remove_training(new.id)
        return new

    def _write_training(self, stored: Stored) -> None:
        """Write the brat files of a reviewed document, which replace older ones of it."""
        folder = self.folder / "training"
        folder.mkdir(mode=0o700, exist_ok=True)
        try:
            Brat().write([Document(f"{stored.id:06d}", stored.text, stored.spans)], folder)
        except FormatError:
            raise OSError("the training folder cannot be written") from None

    def _remove_training(self, id: int) -> None:  # noqa: A002
        for suffix in (".ann", ".txt"):
            (self.folder / "training" / f"{id:06d}{suffix}").unlink(missing_ok=True)

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        db = sqlite3.connect(self._file, timeout=20, isolation_level=None)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            yield db
        finally:
            db.close()

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._connection() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")


def open_project(folder: Path) -> Project:
    """The project in that folder, made if it is not there."""
    try:
        return Project(folder)
    except (OSError, sqlite3.Error) as error:
        raise ConfigError(f"the project folder {folder} cannot be used ({type(error).__name__})") from None


def _get(db: sqlite3.Connection, id: int) -> Stored | None:  # noqa: A002
    columns = "id, name, text, model, state, version, changed, editor"
    row = db.execute(f"SELECT {columns} FROM document WHERE id = ?", (id,)).fetchone()  # noqa: S608
    if row is None:
        return None
    spans = db.execute(
        "SELECT start, end, label, score, source FROM span WHERE document = ? ORDER BY start, end", (id,)
    )
    return replace(Stored(*row), spans=tuple(Span(*span) for span in spans))


def _put_spans(db: sqlite3.Connection, id: int, spans: Sequence[Span]) -> None:  # noqa: A002
    rows = [(id, span.start, span.end, span.label, span.score, span.source) for span in spans]
    db.executemany("INSERT INTO span VALUES (?, ?, ?, ?, ?, ?)", rows)


def _log(db: sqlite3.Connection, stored: Stored, kind: str, change: Change) -> None:
    db.execute(
        "INSERT INTO change (document, version, kind, at, editor, removed, added) VALUES (?, ?, ?, ?, ?, ?, ?)",
        (stored.id, stored.version, kind, stored.changed, stored.editor, _rows(change.remove), _rows(change.add)),
    )


def _rows(spans: Sequence[Span]) -> str:
    return json.dumps([[span.start, span.end, span.label, span.score, span.source] for span in spans])


def _free_name(db: sqlite3.Connection, name: str) -> str:
    def taken(candidate: str) -> Any:
        return db.execute("SELECT 1 FROM document WHERE name = ?", (candidate,)).fetchone()

    candidate, number = name, 2
    while taken(candidate):
        candidate, number = f"{name} ({number})", number + 1
    return candidate


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
