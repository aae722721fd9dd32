"""Configs: flat settings in, composed dataclasses out, and back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import pytest

from nadie.config import LOCAL, flat_config, parse_config
from nadie.errors import ConfigError


@dataclass(frozen=True)
class Layers:
    units: int = 4
    rate: float = 0.5


@dataclass(frozen=True)
class Config:
    layers: Layers = Layers(units=6)
    joint: bool = True
    kind: Literal["a", "b"] = "a"
    vectors: str = field(default="", metadata=LOCAL)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({}, Config()),
        ({"rate": "0.1"}, Config(Layers(6, 0.1))),
        ({"units": "8", "joint": "off"}, Config(Layers(8), joint=False)),
        ({"joint": False, "kind": "b", "vectors": "here"}, Config(joint=False, kind="b", vectors="here")),
    ],
)
def test_settings(given: dict[str, object], expected: Config) -> None:
    assert parse_config(Config, given) == expected
    assert parse_config(Config, flat_config(expected)) == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unit": 3}, "joint, kind, rate, units, vectors"),
        ({"layers": 3}, "there is no setting 'layers'"),
        ({"units": "many"}, "must be int"),
        ({"joint": "perhaps"}, "must be bool"),
        ({"rate": None}, "must be float"),
        ({"kind": "c"}, "one of: a, b"),
    ],
)
def test_settings_that_cannot_be(given: dict[str, object], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse_config(Config, given)


def test_folders_of_this_machine_are_not_stored() -> None:
    assert flat_config(Config(vectors="some/where/vectors,there/more"))["vectors"] == "vectors,more"
