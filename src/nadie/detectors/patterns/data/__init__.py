"""Word lists, one entry a line, folded: lower case, no accents. A line that begins with # is a remark."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def words(name: str) -> frozenset[str]:
    """The entries of `name`.txt."""
    content = files(__package__).joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return frozenset(line for raw in content.splitlines() if (line := raw.strip()) and not line.startswith("#"))


@cache
def alternatives(name: str) -> str:
    """The entries of `name`.txt as one pattern, the longest first, so that none hides one it is the beginning of."""
    entries = sorted(words(name), key=lambda entry: (-len(entry), entry))
    return "(?:" + "|".join(entry.replace(".", r"\.") for entry in entries) + ")"
