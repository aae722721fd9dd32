"""The tutorials as notebooks: each is its page, run, with what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import build_tutorials
import pytest


@pytest.mark.parametrize("page", build_tutorials.PAGES, ids=lambda page: f"{page.parents[1].name}-{page.stem}")
def test_a_notebook_prints_what_it_shows(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(build_tutorials.ROOT)
    made = build_tutorials.notebook(page)
    assert build_tutorials.target(page).read_text(encoding="utf-8") == made, "run scripts/build_tutorials.py"
    cells = json.loads(made)["cells"]
    assert sum(bool(cell.get("outputs")) for cell in cells) > 2


def test_there_are_three_in_each_language() -> None:
    names = {(page.parents[1].name, page.stem) for page in build_tutorials.PAGES}
    assert names == {
        (tree, name) for tree in ("en", "es") for name in ("researcher", "data-engineer", "privacy-officer")
    }
