"""Names are found and loaded on demand; an unknown one is an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from nadie import load
from nadie.anonymize.operators.base import OPERATORS
from nadie.detector import DETECTORS
from nadie.errors import ConfigError, UnknownNameError
from nadie.files.format import FORMATS
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


def test_a_detector_that_needs_no_model_folder_is_loaded_by_its_name() -> None:
    assert load("patterns").anonymize("DNI 12345678Z") == "DNI [ID_SUJETO_ASISTENCIA]"


def test_known_identities_alone(tmp_path: Path) -> None:
    table = tmp_path / "patients.csv"
    table.write_text("nombre,apellidos\nAna,Soto Gil\n", encoding="utf-8")
    pipeline = load("known", known=table)
    assert pipeline.anonymize("Ana Soto Gil vive en Cuenca.") == "[NOMBRE_SUJETO_ASISTENCIA] vive en Cuenca."


def test_known_identities_without_a_table_would_find_nothing() -> None:
    with pytest.raises(ConfigError, match="give the table"):
        load("known")


def test_a_system_needs_a_model_folder() -> None:
    with pytest.raises(UnknownNameError, match="there is no model 'convnet'"):
        load("convnet")
