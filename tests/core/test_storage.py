"""A model folder is loaded only if it is complete and unchanged."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from nadie.errors import ModelError, UnknownNameError
from nadie.storage import add_files, find_model, named_models, read_model, shipped_models, write_model


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "mine"
    write_model(path, system="recrf", config={"c1": 0.1}, card={"seed": 1}, files={"a/weights.bin": b"\x00\x01"})
    return path


def test_what_is_written_is_read(folder: Path) -> None:
    model = read_model(folder)
    assert (model.name, model.system, dict(model.config), dict(model.card)) == (
        "mine",
        "recrf",
        {"c1": 0.1},
        {"seed": 1},
    )
    assert model.file("a/weights.bin").read_bytes() == b"\x00\x01"
    assert model.size > 0


@pytest.mark.parametrize("setting", ["members", "within"])
def test_the_size_counts_the_models_that_are_loaded(folder: Path, tmp_path: Path, setting: str) -> None:
    name = str(folder)
    settings = {"members": {name: 1.0}} if setting == "members" else {"within": name}
    write_model(tmp_path / "other", system="committee", config=settings, card={}, files={})
    own = sum(file.stat().st_size for file in (tmp_path / "other").iterdir())
    assert read_model(tmp_path / "other").size == own + read_model(folder).size


def test_writing_again_replaces_the_whole_folder(folder: Path) -> None:
    write_model(folder, system="recrf", config={}, card={}, files={"b.bin": b"2"})
    assert not (folder / "a").exists()
    assert read_model(folder).file("b.bin").read_bytes() == b"2"
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]


def test_a_failed_replacement_leaves_the_old_folder(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rename = Path.rename

    def failing(self: Path, target: Path) -> Path:
        if (self / "b.bin").exists():
            raise OSError("no space left")
        return rename(self, target)

    monkeypatch.setattr(Path, "rename", failing)
    with pytest.raises(OSError, match="no space"):
        write_model(folder, system="recrf", config={}, card={}, files={"b.bin": b"2"})
    assert read_model(folder).file("a/weights.bin").read_bytes() == b"\x00\x01"
    assert [path.name for path in folder.parent.iterdir()] == ["mine"]


def test_an_interrupted_replacement_is_undone_or_finished(folder: Path, tmp_path: Path) -> None:
    old = folder.with_name(".mine.old")
    folder.rename(old)  # interrupted before the new folder was in place
    assert read_model(folder).file("a/weights.bin").read_bytes() == b"\x00\x01"
    shutil.copytree(folder, old)  # interrupted before the old folder was deleted
    write_model(folder, system="recrf", config={}, card={}, files={"b.bin": b"2"})
    assert read_model(folder).file("b.bin").read_bytes() == b"2"
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


@pytest.mark.parametrize("damage", ["change", "cut", "remove", "add", "rename"])
def test_a_damaged_folder_is_refused(folder: Path, damage: str) -> None:
    weights = folder / "a" / "weights.bin"
    if damage == "change":
        weights.write_bytes(b"\x00\x02")
    elif damage == "cut":
        weights.write_bytes(b"\x00")
    elif damage == "remove":
        weights.unlink()
    elif damage == "add":
        (folder / "extra.bin").write_bytes(b"")
    else:
        weights.rename(folder / "a" / "other.bin")
    with pytest.raises(ModelError, match="checksums"):
        read_model(folder)


@pytest.mark.parametrize("name", ["config.json", "card.json", "checksums.json"])
@pytest.mark.parametrize("content", [None, "{", "[]", '{"format": 99, "system": "recrf"}'])
def test_a_folder_with_a_broken_part_is_refused(folder: Path, name: str, content: str | None) -> None:
    if content is None:
        (folder / name).unlink()
    else:
        (folder / name).write_text(content)
    with pytest.raises(ModelError):
        read_model(folder)


def test_files_can_be_added_under_a_new_seal(folder: Path) -> None:
    add_files(folder, {"curve.svg": b"<svg/>"})
    assert read_model(folder).file("curve.svg").read_bytes() == b"<svg/>"


def test_a_missing_file_is_told(folder: Path) -> None:
    with pytest.raises(ModelError, match=r"lacks its file 'no\.bin'"):
        read_model(folder).file("no.bin")


def test_models_are_found_by_name_or_folder(folder: Path) -> None:
    assert find_model(folder) == folder
    with pytest.raises(UnknownNameError):
        find_model("no-such-model")
    with pytest.raises(ModelError):
        read_model(folder / "nowhere")


def test_a_file_that_two_shipped_models_share_is_stored_once(tmp_path: Path) -> None:
    shipped = shipped_models()
    assert read_model(shipped["e2ej"]).file("vocab.json").parent == shipped["bilstm_crf"]
    path = tmp_path / "mine"
    write_model(path, system="e2ej", config={}, card={}, files={})
    config = json.loads((path / "config.json").read_text(encoding="utf-8"))
    config["shared"] = {"vocab.json": {"model": "bilstm_crf", "sha256": "0" * 64}}
    add_files(path, {"config.json": json.dumps(config).encode()})
    with pytest.raises(ModelError, match="needs another"):
        read_model(path).file("vocab.json")


def test_no_two_shipped_models_have_the_same_large_file() -> None:
    large = [path.read_bytes() for folder in shipped_models().values() for path in folder.iterdir()]
    large = [content for content in large if len(content) > 10_000]
    assert len(set(large)) == len(large)


def test_models_in_named_folders_are_found_by_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for root in ("one", "other"):
        write_model(tmp_path / root / "mine-paper", system="recrf", config={}, card={}, files={})
    write_model(tmp_path / "one" / "fast", system="recrf", config={}, card={}, files={})
    assert "mine-paper" not in named_models()
    monkeypatch.setenv("NADIE_MODELS", os.pathsep.join([str(tmp_path / "one"), str(tmp_path / "other")]))
    assert find_model("mine-paper") == tmp_path / "one" / "mine-paper"
    assert find_model("fast") == shipped_models()["fast"]


def test_settings_can_be_changed_after_training(tmp_path: Path) -> None:
    write_model(tmp_path / "m", system="recrf", config={"bias": 1.0, "rules": True}, card={}, files={})
    folder = read_model(tmp_path / "m")
    assert folder.with_settings({"bias": 0.0}).config == {"bias": 0.0, "rules": True}
    assert folder.config["bias"] == 1.0
