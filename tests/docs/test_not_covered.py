"""The page about files names everything that a container lists as not covered."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

_ROOT = Path(__file__).parents[2]
_PAGE = (_ROOT / "docs" / "en" / "reference" / "files.md").read_text("utf-8")


def reasons() -> set[str]:
    """The second argument of every `Uncovered(…)` in the sources, with an ellipsis for each value in it."""
    found: set[str] = set()
    for file in (_ROOT / "src" / "nadie" / "files").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Uncovered":
                found.add(_text(node.args[1]))
    return found - {""}


def _text(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    parts = node.values if isinstance(node, ast.JoinedStr) else []
    return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in parts)  # type: ignore[misc]


def test_there_are_reasons() -> None:
    assert len(reasons()) >= 9


@pytest.mark.parametrize("reason", sorted(reasons()))
def test_the_page_names_what_is_not_covered(reason: str) -> None:
    section = _PAGE.partition("## What is not covered")[2].partition("\n## ")[0]
    fixed = [part.strip(" ;,") for part in reason.split("…") if part.strip(" ;,")]
    assert all(re.search(re.escape(part), section) for part in fixed), reason
