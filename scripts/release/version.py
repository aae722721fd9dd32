"""The version, and that all files which state it agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def version_in_agreement(root: Path = ROOT) -> str:
    """The version of pyproject.toml; an error if CITATION.cff or CHANGELOG.md do not know it."""
    version = str(tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"])
    if f"\nversion: {version}\n" not in (root / "CITATION.cff").read_text(encoding="utf-8"):
        raise SystemExit(f"CITATION.cff does not have version {version}, which pyproject.toml has")
    changelog = (root / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## \[({re.escape(version)}|Unreleased)\]", changelog, re.MULTILINE):
        raise SystemExit(f"CHANGELOG.md has no section for version {version}")
    return version
