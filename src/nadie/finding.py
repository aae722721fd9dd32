"""How to look: the operating point, and what the user knows beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Mode(StrEnum):
    """The operating points: which kind of error to rather make."""

    BALANCED = "balanced"
    RECALL = "recall"
    PRECISION = "precision"


@dataclass(frozen=True)
class Finding:
    """`known` is a CSV of identities that are surely in the notes, `allow` a list of terms that identify nobody,
    `deny` a list of terms, each with its label, that are always to be found, `thresholds` a TOML file that says how
    sure the model has to be for each label.
    """

    mode: Mode = Mode.BALANCED
    known: Path | None = None
    allow: Path | None = None
    deny: Path | None = None
    thresholds: Path | None = None
