"""`nadie convert` as it is called."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from nadie.cli.convert import convert
from nadie.document import Document, Span
from nadie.errors import ConfigError, UnknownNameError
from nadie.files.annotated.brat import Brat
from nadie.files.annotated.reading import read_documents

app = typer.Typer()
app.command()(convert)


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    Brat().write([Document("a", "Ávila\r\n", (Span(0, 5, "TERRITORIO"),)), Document("b/c", "Perú\f")], tmp_path / "in")
    return tmp_path / "in"


def test_everything_is_converted(notes: Path, tmp_path: Path) -> None:
    result = run(notes, "--to", "jsonl", "--out", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, "")
    assert "2 converted, 0 failed" in result.stderr
    assert list(read_documents(tmp_path / "out")) == list(read_documents(notes))


def test_what_fails_is_told_and_the_rest_is_converted(notes: Path, tmp_path: Path) -> None:
    (notes / "d.ann").write_text("T1\tPAIS 0 4\tPerú\n")
    result = run(notes, "--to", "i2b2", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "1 converted, 2 failed" in result.stderr
    assert "U+000C at 4" in result.stderr
    assert "d.ann: has no .txt file next to it" in result.stderr
    assert "Perú" not in result.stderr
    assert [document.id for document in read_documents(tmp_path / "out")] == ["a"]


def test_the_format_may_be_told(notes: Path, tmp_path: Path) -> None:
    assert run(notes, "--from", "text", "--to", "brat", "--out", tmp_path / "out").exit_code == 0
    assert [document.spans for document in read_documents(tmp_path / "out")] == [(), ()]


@pytest.mark.parametrize("inside", [".", "x", "x/.."])
def test_writing_into_the_input_is_refused(notes: Path, inside: str) -> None:
    assert isinstance(run(notes, "--to", "text", "--out", notes / inside).exception, ConfigError)


def test_an_unknown_format_is_refused(notes: Path, tmp_path: Path) -> None:
    assert isinstance(run(notes, "--to", "docx2", "--out", tmp_path / "out").exception, UnknownNameError)
    assert isinstance(run(notes, "--from", "x", "--to", "text", "--out", tmp_path / "out").exception, UnknownNameError)
