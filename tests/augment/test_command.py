"""`nadie augment` as it is typed."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from augment.notes import invented
from nadie.cli.augment import augment
from nadie.errors import ConfigError, UnknownNameError
from nadie.files.annotated.brat import Brat

app = typer.Typer()
app.command()(augment)


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    Brat().write([invented("one"), invented("two")], folder)
    return folder


def run(*arguments: str | Path) -> int:
    return CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False).exit_code


def test_copies_are_written_and_read_again(notes: Path, tmp_path: Path) -> None:
    assert run(notes, "--out", tmp_path / "out", "--copies", "3", "--seed", "5") == 0
    copies = list(Brat().read(tmp_path / "out"))
    assert sorted(copy.id for copy in copies) == sorted(f"{name}-aug{i}" for name in ("one", "two") for i in range(3))
    assert run(notes, "--out", tmp_path / "again", "--copies", "3", "--seed", "5") == 0
    assert [c.text for c in Brat().read(tmp_path / "again")] == [c.text for c in copies]


def test_only_some_transforms(notes: Path, tmp_path: Path) -> None:
    assert run(notes, "--out", tmp_path / "out", "--only", "upper, one-line") == 0
    for copy in Brat().read(tmp_path / "out"):
        assert copy.text == copy.text.upper()
        assert "\n" not in copy.text.strip()


def test_held_out_words(notes: Path, tmp_path: Path) -> None:
    assert run(notes, "--out", tmp_path / "out", "--held-out", "--only", "relabel") == 0
    assert all("NHC:" not in copy.text for copy in Brat().read(tmp_path / "out"))


def test_what_cannot_be_done_is_refused(notes: Path, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError):
        run(notes, "--out", tmp_path / "out", "--only", "sideways")
    with pytest.raises(ConfigError):
        run(notes, "--out", notes / "inside")
    (notes / "one.ann").write_text("T1\tNOWHERE 0 3\tDat\n", encoding="utf-8")
    assert run(notes, "--out", tmp_path / "rest") == 1
    assert [copy.id for copy in Brat().read(tmp_path / "rest")] == ["two-aug0"]
