"""What a caller sets: how spans are detected, and how they are replaced."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Mode(StrEnum):
    """The operating point: balanced, fewer misses (recall) or fewer false alarms (precision)."""

    BALANCED = "balanced"
    RECALL = "recall"
    PRECISION = "precision"


@dataclass(frozen=True)
class DetectionOptions:
    """How spans are detected.

    `known` is a CSV file of identities to find in any spelling, `allow` a list of terms that are never PHI, `deny` a
    list of terms, each with its label, that always are, and `thresholds` a TOML file with the least confidence of each
    label.
    """

    mode: Mode = Mode.BALANCED
    known: Path | None = None
    allow: Path | None = None
    deny: Path | None = None
    thresholds: Path | None = None
