"""The page on the command line says what the commands say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_reference_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("build_cli_reference", ROOT / "scripts" / "build_cli_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.reference(), "run scripts/build_cli_reference.py"
