"""What a service with sign-on remembers about its callers: sessions, last uses, roles of people whom a proxy names,
and, for today, the keyed values that each caller got and the bytes that each stored. It has no document text, and no
value that could be guessed from it.
"""

from __future__ import annotations

import secrets
import sqlite3
import tempfile
import time
from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from nadie.service.monitoring import ERRORS
from nadie.service.options import ServiceOptions
from nadie.service.problems import ProblemError
from nadie.service.project.database import Database
from nadie.service.tokens import digest_of

_TABLES = (
    """CREATE TABLE IF NOT EXISTS session (
        sha256 TEXT PRIMARY KEY, token TEXT NOT NULL, expires TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS caller (
        name TEXT NOT NULL, sign_on TEXT NOT NULL, last TEXT NOT NULL, PRIMARY KEY (name, sign_on)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS role (
        name TEXT PRIMARY KEY, permissions TEXT NOT NULL, created TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS keyed (
        day TEXT NOT NULL, caller TEXT NOT NULL, value BLOB NOT NULL,
        PRIMARY KEY (day, caller, value)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS stored (
        day TEXT NOT NULL, caller TEXT NOT NULL, bytes INTEGER NOT NULL, PRIMARY KEY (day, caller)) WITHOUT ROWID""",
)
_LAST_USE_SECONDS = 60.0
_NAME = "usage.sqlite3"


@dataclass(frozen=True, slots=True)
class Role:
    """The permissions of somebody whom the proxy names, as set on the page."""

    permissions: tuple[str, ...]
    created: str


class Usage:
    """The file with the usage of a service. Every method is one transaction."""

    def __init__(self, file: Path, now: Callable[[], datetime] = lambda: datetime.now(UTC)) -> None:
        self._database = Database(file)
        self._now = now
        self._noted: dict[tuple[str, str], float] = {}
        with self._database.writing() as db:
            for statement in _TABLES:
                db.execute(statement)

    def open_session(self, token: str, hours: float) -> str:
        """A new session for the holder of the token with that digest; the file has only the digest of its secret."""
        secret = secrets.token_urlsafe(32)
        with self._database.writing() as db:
            db.execute("DELETE FROM session WHERE expires < ?", (self._time(),))
            db.execute("INSERT INTO session VALUES (?, ?, ?)", (digest_of(secret), token, self._time(hours)))
        return secret

    def session(self, secret: str) -> str | None:
        """The digest of the token with which a session was opened; None if it has ended."""
        with self._database.reading() as db:
            found = db.execute(
                "SELECT token FROM session WHERE sha256 = ? AND expires > ?", (digest_of(secret), self._time())
            ).fetchone()
        return None if found is None else str(found[0])

    def close_session(self, secret: str) -> None:
        with self._database.writing() as db:
            db.execute("DELETE FROM session WHERE sha256 = ?", (digest_of(secret),))

    def note(self, name: str, sign_on: str) -> None:
        """Remember that somebody used the service; not more than once a minute."""
        key, clock = (name, sign_on), time.monotonic()
        if clock - self._noted.get(key, -_LAST_USE_SECONDS) < _LAST_USE_SECONDS:
            return
        self._noted[key] = clock
        try:
            with self._database.writing() as db:
                db.execute("INSERT OR REPLACE INTO caller VALUES (?, ?, ?)", (name, sign_on, self._time()))
        except sqlite3.Error:  # a full disk must not lock everybody out
            ERRORS.warning("the last use of a token could not be stored")

    def last_uses(self, sign_on: str) -> dict[str, str]:
        """The time of the last use by each name."""
        with self._database.reading() as db:
            return dict(db.execute("SELECT name, last FROM caller WHERE sign_on = ?", (sign_on,)))

    def roles(self) -> dict[str, Role]:
        with self._database.reading() as db:
            found = db.execute("SELECT name, permissions, created FROM role")
            return {name: Role(tuple(permissions.split()), created) for name, permissions, created in found}

    def set_role(self, name: str, permissions: Collection[str] | None) -> None:
        """Set the permissions of somebody whom the proxy names; None removes them."""
        with self._database.writing() as db:
            db.execute("DELETE FROM role WHERE name = ?", (name,))
            if permissions is not None:
                db.execute("INSERT INTO role VALUES (?, ?, ?)", (name, " ".join(sorted(permissions)), self._time()))

    def spend(self, caller: str, values: Collection[bytes], limit: int) -> None:
        """Count keyed values of a caller, each once a day; a problem, and nothing is counted, if they are too many."""
        now = self._now()
        day = now.date().isoformat()
        with self._database.writing() as db:
            db.execute("DELETE FROM keyed WHERE day < ?", (day,))
            db.executemany("INSERT OR IGNORE INTO keyed VALUES (?, ?, ?)", [(day, caller, value) for value in values])
            (count,) = db.execute("SELECT COUNT(*) FROM keyed WHERE day = ? AND caller = ?", (day, caller)).fetchone()
            if count > limit:
                raise _until_tomorrow("too-many-values", f"a caller may get {limit} keyed values a day", now, limit)

    def store(self, caller: str, size: int, limit: int) -> None:
        """Count bytes that a caller stores; a problem, and nothing is counted, if they are too many today."""
        now = self._now()
        day = now.date().isoformat()
        with self._database.writing() as db:
            db.execute("DELETE FROM stored WHERE day < ?", (day,))
            before = db.execute("SELECT bytes FROM stored WHERE day = ? AND caller = ?", (day, caller)).fetchone()
            total = size + (before[0] if before else 0)
            if total > limit:
                raise _until_tomorrow("too-many-bytes", f"a caller may store {limit} bytes a day", now, limit)
            db.execute("INSERT OR REPLACE INTO stored VALUES (?, ?, ?)", (day, caller, total))

    def _time(self, hours: float = 0.0) -> str:
        return (self._now() + timedelta(hours=hours)).isoformat(timespec="seconds")


def _until_tomorrow(problem: str, detail: str, now: datetime, limit: int) -> ProblemError:
    tomorrow = datetime.combine(now.date() + timedelta(days=1), datetime.min.time(), UTC)
    return ProblemError(problem, detail, retry_after=int((tomorrow - now).total_seconds()) + 1, limit=limit)


def usage_of(options: ServiceOptions) -> Usage | None:
    """The usage file of the options: that of the project, else beside the token file; None if nobody signs on."""
    if options.tokens is None and options.proxy is None:
        return None
    folder = options.project or (None if options.tokens is None else options.tokens.parent)
    file = options.usage or (None if folder is None else folder / _NAME)
    try:
        if file is not None:
            return Usage(file)
    except (OSError, sqlite3.Error):
        if options.usage is not None:
            raise
    ERRORS.warning("there is no place for %s: sessions and counts are lost at a restart; see the option `usage`", _NAME)
    return Usage(Path(tempfile.mkdtemp(prefix="nadie-usage-")) / _NAME)
