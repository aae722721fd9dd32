"""The corpora that can be downloaded, and what is known to tell that one has arrived unchanged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from nadie.errors import UnknownNameError


@dataclass(frozen=True)
class Source:
    """A corpus in a zip archive.

    Either checksum is enough: `archive` is the SHA-256 of the file at `address`, and vouches for all that is in it;
    `manifest` has the checksum of the contents of some of its folders, and vouches for these however they were packed.
    """

    name: str
    address: str
    archive: str
    manifest: Mapping[str, str]
    licence: str
    citation: str


def source(name: str) -> Source:
    """The source of that name."""
    if name not in _SOURCES:
        raise UnknownNameError(f"there is no corpus called {name[:60]!r}; there are: {', '.join(_SOURCES)}")
    return _SOURCES[name]()


def _meddocan() -> Source:
    """MEDDOCAN, version 1.0 of 2020 (doi 10.5281/zenodo.4279323), the home its authors gave it.

    The archive's checksum is the one that two public projects, independent of each other, recorded for this file. The
    manifest was computed from a copy of the training and development sets.
    """
    return Source(
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
