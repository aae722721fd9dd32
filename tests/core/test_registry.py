"""Names are found and loaded on demand; an unknown one is an error."""

from __future__ import annotations

import pytest

from nadie.anonymize.operators.base import OPERATORS
from nadie.detectors.base import DETECTORS
from nadie.errors import UnknownNameError
from nadie.formats.base import FORMATS
from nadie.registry import Registry


def test_what_ships_is_registered_by_entry_points() -> None:
    assert "recrf" in DETECTORS.names()
    assert {"brat", "i2b2", "jsonl", "text"} <= set(FORMATS.names())
    assert FORMATS.get("brat").__name__ == "Brat"


def test_every_entry_point_loads() -> None:
    for group in (DETECTORS, FORMATS, OPERATORS):
        for name in group.names():
            assert group.get(name) is not None


def test_an_unknown_name_is_told_with_those_that_exist() -> None:
    with pytest.raises(UnknownNameError, match="brat"):
        FORMATS.get("no-such-format")


def test_a_thing_can_be_added_for_the_process() -> None:
    things: Registry[int] = Registry("nadie.none", "thing")
    things.add("one", 1)
    assert things.names() == ["one"]
    assert things.get("one") == 1
