"""The wheel has every data file of the package and no module that only training needs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "src" / "nadie"


def packed() -> set[Path]:
    """The data files that setuptools puts into the wheel."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    globs = settings["tool"]["setuptools"]["package-data"]["nadie"]
    return {path for pattern in globs for path in PACKAGE.glob(pattern) if path.is_file()}


def test_every_data_file_is_packed() -> None:
    files = {path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert packed() == {path for path in files if path.suffix not in (".py", ".pyc")}


def test_a_packed_model_is_whole() -> None:
    for sums in PACKAGE.glob("models/*/checksums.json"):
        listed = {sums.parent / name for name in json.loads(sums.read_text(encoding="utf-8"))}
        assert listed | {sums} <= packed()


def test_no_record_of_a_training_is_packed() -> None:
    assert not {path.name for path in packed() if path.suffix in (".png", ".jsonl", ".log")}


def test_the_licence_tables_are_packed() -> None:
    assert PACKAGE / "tokens/tagger/data/README.md" in packed()
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    folders = [ROOT / name for name in re.findall(r"src/nadie/[\w/]*data\b", notice)]
    assert folders
    assert {folder / "README.md" for folder in folders} <= packed()


def test_make_finds_any_python_that_is_new_enough(tmp_path: Path) -> None:
    found = _python_of_make(tmp_path, {"python3.9": "exit 1", "python3": f'exec "{sys.executable}" "$@"'})
    assert found == "python3"
    assert (
        _python_of_make(tmp_path, {"python3": "exit 1", "python3.12": f'exec "{sys.executable}" "$@"'}) == "python3.12"
    )


def test_make_says_what_is_missing(tmp_path: Path) -> None:
    assert _python_of_make(tmp_path, {"python3": "exit 1"}) == ""
    done = _make(tmp_path, ".venv/bin/python", "VENV=.venv", "BIN=.venv/bin")
    assert done.returncode != 0
    assert "needs Python 3.11 or later" in done.stderr


def _python_of_make(folder: Path, programs: dict[str, str]) -> str:
    """The interpreter that the Makefile chooses where these programs are all there is."""
    for old in folder.iterdir():
        old.unlink()
    for name, script in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    return _make(folder, "chosen", "--eval=chosen: ; @echo $(PYTHON)").stdout.strip()


def _make(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    make, shell = shutil.which("make"), shutil.which("sh")
    assert make
    assert shell
    command = [
        make,
        "--no-print-directory",
        "-f",
        str(ROOT / "Makefile"),
        "-C",
        str(folder),
        f"SHELL={shell}",
        *arguments,
    ]
    return subprocess.run(command, env={"PATH": str(folder)}, capture_output=True, text=True, check=False)
