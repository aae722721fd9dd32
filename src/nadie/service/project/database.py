"""The database file of a project: connections for reading, and for writing in one transaction."""

from __future__ import annotations

import sqlite3
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Database:
    """One SQLite file that several threads and processes use."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._own = threading.local()
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        file.touch(mode=0o600)
        # One connection stays open, and with it the shared memory that SQLite cannot create again on a full disk:
        # without it, nothing could be read then.
        always_open = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        weakref.finalize(self, always_open.close)
        always_open.execute("PRAGMA journal_mode = WAL")
        always_open.execute("SELECT COUNT(*) FROM sqlite_master").fetchall()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection for reading."""
        db = sqlite3.connect(self._file, timeout=20, isolation_level=None)
        try:
            db.execute("PRAGMA foreign_keys = ON")
            db.execute("PRAGMA secure_delete = ON")
            yield db
        finally:
            db.close()

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection for writing, in one transaction.

        What is written inside this belongs to the same transaction. A check that must still hold when something is
        written is made inside it too: nobody else can write in between.
        """
        if (outer := getattr(self._own, "db", None)) is not None:
            yield outer
            return
        with self.reading() as db:
            db.execute("BEGIN IMMEDIATE")
            self._own.db = db
            try:
                yield db
            except BaseException:
                if db.in_transaction:  # on a full disk SQLite has already rolled back
                    db.execute("ROLLBACK")
                raise
            finally:
                self._own.db = None
            db.execute("COMMIT")
