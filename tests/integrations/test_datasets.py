"""A column of a real Dataset, in one process and in two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from datasets import Dataset

import nadie
from nadie.anonymize.secret import Secret
from nadie.integrations.columns import KEY
from nadie.integrations.datasets import annotate, anonymize

from .notes import CLEAN, LATER, NOTE, OTHER

ROWS: dict[str, list[Any]] = {
    "nhc": ["44719", "44719", "55830", None, "66941"],
    "nota": [NOTE, LATER, OTHER, NOTE, CLEAN],
}


@pytest.fixture
def key(tmp_path: Path) -> Path:
    (tmp_path / "key").write_text("una clave bastante larga, y otra")
    return tmp_path / "key"


@pytest.fixture(autouse=True)
def _quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HF_DATASETS_CACHE", str(tmp_path))
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


@pytest.fixture
def notes() -> Dataset:
    return Dataset.from_dict(ROWS)


def test_two_processes_give_what_one_gives(notes: Dataset, key: Path) -> None:
    options: dict[str, Any] = {"patient": "nhc", "policy": "research", "key": key, "batch_size": 2}
    done = anonymize(notes, "nota", **options).to_dict()
    model = nadie.load("fast", policy="research", key=Secret.from_file(key), patient="meta:patient")
    assert done["nota"][0] == model.anonymize(nadie.Document("", NOTE, (), {"patient": "44719"}))
    assert done["nota_error"] == [None, None, None, "the row has no patient", None]
    first, same, second, none, third = done["nhc"]
    assert first == same
    assert len({first, second, third}) == 3
    assert none is None
    assert not {first, second, third} & {*ROWS["nhc"]}
    assert list(anonymize(notes, "nota", key=key).column_names) == ["nota", "nota_error"]
    assert anonymize(notes, "nota", key=key, keep=["nhc"])["nhc"][:] == ROWS["nhc"]
    assert anonymize(notes, "nota", **options, num_proc=2).to_dict() == done


def test_spans_after_a_first_batch_without_any() -> None:
    notes = Dataset.from_dict({"nota": [CLEAN, None, NOTE]})
    spans = annotate(notes, "nota", batch_size=1)["nota_spans"]
    expected = [(s.start, s.end, s.label) for s in nadie.load("fast").annotate(NOTE).spans]
    assert [(s["start"], s["end"], s["label"]) for s in spans[2]] == expected
    assert not spans[0]


def test_keys_are_neither_carried_nor_made_up(notes: Dataset, key: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(nadie.NadieError, match="to the cache"):
        anonymize(notes, "nota", policy="research", key=Secret.from_file(key))  # type: ignore[arg-type]
    monkeypatch.delenv(KEY, raising=False)
    with pytest.raises(nadie.NadieError, match="needs a key"):
        anonymize(notes, "nota", policy="research")
    with pytest.raises(nadie.NadieError, match="no column 'texto'"):
        anonymize(notes, "texto")
