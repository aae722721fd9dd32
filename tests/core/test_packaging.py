"""The wheel holds every data file of the package and nothing that only training needs."""

from __future__ import annotations

import json
import re
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
