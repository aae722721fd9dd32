"""`nadie vectors train`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from nadie.cli.main import build
from nadie.training.vectors import load_vectors


def train(arguments: list[str]) -> Result:
    return CliRunner().invoke(build(["vectors"]), ["vectors", "train", *arguments])


def test_vectors_from_a_folder_of_notes(tmp_path: Path) -> None:
    pytest.importorskip("gensim")
    notes = tmp_path / "notes"
    notes.mkdir()
    for i in range(20):
        (notes / f"{i}.txt").write_text("Paciente de Cuenca con fiebre y tos, sin disnea.", encoding="utf-8")
    out = tmp_path / "vectors"
    result = train([str(notes), "--out", str(out), "--width", "8", "--epochs", "1"])
    assert result.exit_code == 0, result.output
    assert "cuenca" in load_vectors(out).words


@pytest.mark.parametrize("options", [["--width", "0"], ["--epochs", "0"]])
def test_impossible_options(tmp_path: Path, options: list[str]) -> None:
    result = train([str(tmp_path), "--out", str(tmp_path / "v"), *options])
    assert result.exit_code == 2
    assert not (tmp_path / "v").exists()
