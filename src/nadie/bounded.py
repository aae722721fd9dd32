"""Collections that use a bounded amount of memory for any number of entries."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from hashlib import blake2b, shake_256
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    import sqlite3

_IN_MEMORY = 50_000
_CACHE = 8 << 20

T = TypeVar("T")


class FirstItems(Generic[T]):
    """The first items up to a limit, and the count of all items."""

    def __init__(self, limit: int) -> None:
        self.first: list[T] = []
        self.count = 0
        self._limit = limit

    def add(self, items: Iterable[T]) -> None:
        for item in items:
            self.count += 1
            if len(self.first) < self._limit:
                self.first.append(item)

    @property
    def more(self) -> int:
        """The number of items beyond the limit."""
        return self.count - len(self.first)


class BoundedMap:
    """A map of strings to strings. The first entries are held in memory; beyond a limit all move to a database.

    The database is temporary, private to the process and deleted with it. The entries cannot be read from the disk:
    keys are stored as keyed hashes, and values are masked with a key stream whose key is only in memory.
    """

    def __init__(self, in_memory: int = _IN_MEMORY) -> None:
        self._limit = in_memory
        self._near: dict[bytes, str] = {}
        self._far: sqlite3.Connection | None = None
        self._secret = secrets.token_bytes(32)

    def __del__(self) -> None:
        if self._far is not None:
            self._far.close()

    def get(self, key: str) -> str | None:
        hashed = self._hashed(key)
        if self._far is None:
            return self._near.get(hashed)
        row = self._far.execute("SELECT value FROM entries WHERE key = ?", (hashed,)).fetchone()
        return None if row is None else self._masked(hashed, row[0]).decode("utf-8", "surrogatepass")

    def set(self, key: str, value: str) -> None:
        hashed = self._hashed(key)
        if self._far is None:
            self._near[hashed] = value
            if len(self._near) > self._limit:
                self._far = self._moved()
            return
        self._far.execute("INSERT OR REPLACE INTO entries VALUES (?, ?)", self._row(hashed, value))

    def setdefault(self, key: str, value: str) -> str:
        """The value of the key; if the key is new, it gets this value."""
        known = self.get(key)
        if known is None:
            self.set(key, value)
            return value
        return known

    def add(self, key: str) -> bool:
        """Store the key without a value. Return whether it is new."""
        is_new = self.get(key) is None
        if is_new:
            self.set(key, "")
        return is_new

    def _moved(self) -> sqlite3.Connection:
        import sqlite3  # only very large runs need it

        database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        database.execute(f"PRAGMA cache_size = -{_CACHE >> 10}")
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("CREATE TABLE entries (key BLOB PRIMARY KEY, value BLOB) WITHOUT ROWID")
        database.execute("BEGIN")  # never committed: no other process reads it
        rows = (self._row(hashed, value) for hashed, value in self._near.items())
        database.executemany("INSERT INTO entries VALUES (?, ?)", rows)
        self._near = {}
        return database

    def _row(self, hashed: bytes, value: str) -> tuple[bytes, bytes]:
        return hashed, self._masked(hashed, value.encode("utf-8", "surrogatepass"))

    def _hashed(self, key: str) -> bytes:
        return blake2b(key.encode("utf-8", "surrogatepass"), key=self._secret, digest_size=16).digest()

    def _masked(self, hashed: bytes, value: bytes) -> bytes:
        stream = shake_256(self._secret + hashed).digest(len(value))
        return bytes(a ^ b for a, b in zip(value, stream, strict=True))
