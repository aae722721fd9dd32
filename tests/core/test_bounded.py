"""Collections that use bounded memory for any number of entries."""

from __future__ import annotations

import sqlite3

import pytest

from nadie.bounded import BoundedMap, FirstItems


@pytest.mark.parametrize("in_memory", [1000, 10, 0])
def test_a_map_gives_back_what_it_was_given(in_memory: int) -> None:
    entries = BoundedMap(in_memory)
    for number in range(200):
        assert entries.add(f"clave {number}")
        assert not entries.add(f"clave {number}")
        assert entries.setdefault(f"valor {number}", f"Núñez \ud800 {number}") == f"Núñez \ud800 {number}"
    assert [entries.setdefault(f"valor {n}", "otro") for n in range(200)] == [f"Núñez \ud800 {n}" for n in range(200)]
    assert entries.get("nunca") is None
    entries.set("valor 3", "nuevo")
    assert entries.get("valor 3") == "nuevo"


def test_nothing_readable_is_in_the_database() -> None:
    entries = BoundedMap(in_memory=1)
    for number in range(50):
        entries.set(f"Ana Pérez {number}", f"Hospital de Lugo {number}")
    assert entries._far is not None
    stored = b"".join(key + value for key, value in entries._far.execute("SELECT key, value FROM entries"))
    assert not entries._near
    assert all(word.encode() not in stored for word in ("Ana", "Pérez", "Hospital", "Lugo"))


def test_the_first_messages_and_their_number() -> None:
    messages = FirstItems[str](2)
    messages.add("abc")
    messages.add(["d"])
    assert (messages.first, messages.count, messages.more) == (["a", "b"], 4, 2)


def test_the_database_is_closed_with_the_map() -> None:
    things = BoundedMap(in_memory=1)
    things.set("a", "1")
    things.set("b", "2")
    database = things._far
    assert database is not None
    del things
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        database.execute("SELECT 1")
