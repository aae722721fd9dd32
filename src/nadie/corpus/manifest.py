"""One checksum for a folder of a corpus, so that a few lines of data can vouch for thousands of files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

_SUFFIXES = frozenset((".txt", ".ann", ".xml"))


def counted(folder: Path) -> list[Path]:
    """The files of the folder that its checksum is over: texts and annotations, in the order of their names.

    Hidden files and other suffixes do not count, since archives pick such things up on their way.
    """
    files = folder.iterdir() if folder.is_dir() else ()
    chosen = (file for file in files if file.suffix in _SUFFIXES and not file.name.startswith(".") and file.is_file())
    return sorted(chosen, key=lambda file: file.name)


def digest(folder: Path) -> str:
    """The SHA-256 of one line for each file that counts: `NAME<NUL>SHA-256 OF ITS CONTENTS<LF>`."""
    total = hashlib.sha256()
    for file in counted(folder):
        total.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def differing(folder: Path, manifest: Mapping[str, str]) -> list[str]:
    """The parts of the manifest that are missing in `folder` or have other contents there."""
    return [part for part, checksum in manifest.items() if digest(folder / part) != checksum]
