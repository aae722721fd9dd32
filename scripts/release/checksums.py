"""SHA-256 sums of what a release consists of."""

from __future__ import annotations

import hashlib
from pathlib import Path

_NAME = "SHA256SUMS"


def write_checksums(folder: Path) -> None:
    """SHA256SUMS of every file below `folder`, in the form that `sha256sum --check` reads."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / _NAME)
    lines = [f"{digest(path)}  {path.relative_to(folder)}\n" for path in files]
    (folder / _NAME).write_text("".join(lines), encoding="utf-8")


def digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
