"""The change log of a project: who did what, and when, as a chain of hashes.

Each entry has the SHA-256 of itself and of the entry before it, so that an entry that was changed or taken out shows.
Whoever can write the file could compute all hashes again; the service therefore writes the last hash to its own log
with every export, deletion and restore, and `nadie project check` compares.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from nadie.document import Span

COLUMNS = "id, document, version, kind, at, editor, removed, added"
TABLE = """CREATE TABLE change (
    id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL, version INTEGER NOT NULL, kind TEXT NOT NULL,
    at TEXT NOT NULL, editor TEXT NOT NULL, removed TEXT NOT NULL, added TEXT NOT NULL, hash TEXT NOT NULL DEFAULT ''
)"""


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry to write: of one document, or of none (0), with its spans or its detail."""

    editor: str
    kind: str
    document: int = 0
    version: int = 0
    removed: Sequence[Span] = ()
    added: Sequence[Span] = ()
    detail: Mapping[str, object] | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The number of entries, the last hash, and the id of the first entry that does not fit; 0 if all fit."""

    entries: int
    head: str
    broken_at: int = 0


def write(db: sqlite3.Connection, entry: Entry) -> str:
    """Append an entry, and return its time."""
    at = now()
    last, before = _last(db)
    removed = json.dumps(packed(entry.removed))
    added = json.dumps(packed(entry.added) if entry.detail is None else entry.detail)
    row = (last + 1, entry.document, entry.version, entry.kind, at, entry.editor, removed, added)
    db.execute(f"INSERT INTO change ({COLUMNS}, hash) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", (*row, _hash(before, row)))  # noqa: S608
    return at


def head(db: sqlite3.Connection) -> str:
    """The hash of the last entry."""
    return _last(db)[1]


def check(db: sqlite3.Connection, heads: Sequence[str] = ()) -> Checked:
    """Compute the chain again. `heads` are hashes from the service's log: each must be that of an entry."""
    before, count, seen = "", 0, set()
    for *row, own in db.execute(f"SELECT {COLUMNS}, hash FROM change ORDER BY id"):  # noqa: S608
        count += 1
        if row[0] != count or own != _hash(before, row):
            return Checked(count - 1, before, count)
        before = own
        seen.add(own)
    written = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'change'").fetchone()
    is_cut = (written is not None and written[0] != count) or not seen.issuperset(heads)
    return Checked(count, before, count + 1 if is_cut else 0)


def seal(db: sqlite3.Connection) -> None:
    """Compute the hashes of a log that was written without them."""
    before = ""
    for row in db.execute(f"SELECT {COLUMNS} FROM change ORDER BY id").fetchall():  # noqa: S608
        before = _hash(before, row)
        db.execute("UPDATE change SET hash = ? WHERE id = ?", (before, row[0]))


def _last(db: sqlite3.Connection) -> tuple[int, str]:
    row = db.execute("SELECT id, hash FROM change ORDER BY id DESC LIMIT 1").fetchone()
    written = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'change'").fetchone()
    # If the last entries were taken out, their numbers stay missing.
    return max(row[0] if row else 0, written[0] if written else 0), row[1] if row else ""


def _hash(before: str, row: Sequence[Any]) -> str:
    return hashlib.sha256(f"{before}\n{json.dumps(list(row), ensure_ascii=True)}".encode()).hexdigest()


def packed(spans: Sequence[Span]) -> list[list[Any]]:
    """Spans as lists, for JSON."""
    return [[span.start, span.end, span.label, span.score, span.source] for span in spans]


def unpacked(spans: Sequence[Sequence[Any]]) -> tuple[Span, ...]:
    return tuple(Span(*span) for span in spans)


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
