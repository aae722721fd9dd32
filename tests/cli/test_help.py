"""The help of every command is readable in a terminal of 80 columns."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer.main

from nadie.cli.main import build


def commands(command: Any, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    children = getattr(command, "commands", {})
    yield from ((path, command),) if not children else ()
    for name, child in children.items():
        yield from commands(child, (*path, name))


ALL = list(commands(typer.main.get_command(build())))


@pytest.mark.parametrize(("path", "command"), ALL, ids=[" ".join(path) for path, _ in ALL])
def test_examples_are_not_wrapped(path: tuple[str, ...], command: Any) -> None:
    examples = [p[2:] for p in command.help.split("\n\n") if p.startswith("\b\n")]
    assert all(len(line) <= 78 for example in examples for line in example.splitlines())
    prose = [p for p in command.help.split("\n\n") if not p.startswith("\b\n")]
    assert all("\n" not in paragraph for paragraph in prose)


def test_anonymize_shows_its_examples_as_written() -> None:
    environment = {**os.environ, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "dumb"}
    command = [sys.executable, "-m", "nadie", "anonymize", "--help"]
    shown = subprocess.run(command, capture_output=True, check=True, text=True, env=environment).stdout
    lines = [line.strip() for line in shown.splitlines()]
    assert "cat note.txt | nadie anonymize -" in lines
    assert "--key-file key --patient-id 'id:^([^/]+)/'" in lines
