"""The corpora that can be downloaded, with the checksums that verify them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from nadie.errors import UnknownNameError

_SUFFIXES = frozenset((".txt", ".ann", ".xml"))


@dataclass(frozen=True)
class CorpusSource:
    """A corpus in a zip archive.

    Either checksum is sufficient: `archive` is the SHA-256 of the file at `address` and verifies everything in it;
    `manifest` has the checksums of some of its folders and verifies them regardless of how they were packed.
    """

    name: str
    address: str
    archive: str
    manifest: Mapping[str, str]
    licence: str
    citation: str


def source(name: str) -> CorpusSource:
    """The source of that name."""
    if name not in _SOURCES:
        raise UnknownNameError(f"there is no corpus called {name[:60]!r}; there are: {', '.join(_SOURCES)}")
    return _SOURCES[name]()


def counted(folder: Path) -> list[Path]:
    """The files that the checksum of a folder is computed from: texts and annotations, in the order of their names.

    Hidden files and other suffixes are ignored, since tools that create archives may add them.
    """
    found = folder.iterdir() if folder.is_dir() else ()
    chosen = (file for file in found if file.suffix in _SUFFIXES and not file.name.startswith(".") and file.is_file())
    return sorted(chosen, key=lambda file: file.name)


def digest(folder: Path) -> str:
    """The SHA-256 of one line for each such file: `NAME<NUL>SHA-256 OF ITS CONTENTS<LF>`."""
    total = hashlib.sha256()
    for file in counted(folder):
        total.update(f"{file.name}\0{hashlib.sha256(file.read_bytes()).hexdigest()}\n".encode())
    return total.hexdigest()


def differing(folder: Path, manifest: Mapping[str, str]) -> list[str]:
    """The parts of the manifest that are missing in `folder` or have different contents."""
    return [part for part, checksum in manifest.items() if digest(folder / part) != checksum]


def _meddocan() -> CorpusSource:
    """MEDDOCAN, version 1.0 of 2020 (doi 10.5281/zenodo.4279323), at the address where its authors published it.

    The checksum of the archive is the one that two independent public projects recorded for this file. The manifest was
    computed from a copy of the training and development sets.
    """
    return CorpusSource(
        name="meddocan",
        address="https://zenodo.org/records/4279323/files/meddocan.zip?download=1",
        archive="d0e4708b58689bc1440ede6f89e017e58d667827d927827622d73810cd68eac3",
        manifest=json.loads((files("nadie.corpus") / "meddocan.json").read_text(encoding="utf-8")),
        licence="CC BY 4.0, © 2019 Secretaría de Estado para el Avance Digital",
        citation=(
            "M. Marimon et al., Automatic De-identification of Medical Texts in Spanish: the MEDDOCAN Track, Corpus, "
            "Guidelines, Methods and Evaluation of Results, IberLEF 2019"
        ),
    )


_SOURCES = {"meddocan": _meddocan}
