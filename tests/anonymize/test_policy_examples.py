"""The page that shows the policies says what they do."""

from __future__ import annotations

import importlib.util
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_the_page_is_up_to_date() -> None:
    place = ROOT / "scripts" / "build_policy_examples.py"
    spec = importlib.util.spec_from_file_location("build_policy_examples", place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.PAGE.read_text(encoding="utf-8") == module.page(), "run scripts/build_policy_examples.py"
