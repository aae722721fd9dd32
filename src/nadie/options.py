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


class Spans(StrEnum):
    """Which spans are replaced: those a document came with, those found in it, or both.

    With `given`, a document that came without any is searched. With `both`, given ones win where they overlap.
    """

    GIVEN = "given"
    FOUND = "found"
    BOTH = "both"


class Rename(StrEnum):
    """What files and folders are called in the output.

    AUTO: what holds PHI by a hash, the rest as it was. NUMBER, HASH: everything. KEEP: nothing.
    """

    AUTO = "auto"
    NUMBER = "number"
    HASH = "hash"
    KEEP = "keep"


class Images(StrEnum):
    """What to do with a file that shows text in images: refuse it, blank them, or keep and list them."""

    REFUSE = "refuse"
    BLANK = "blank"
    KEEP = "keep"


@dataclass(frozen=True)
class DetectionOptions:
    """How spans are detected.

    `known` is a CSV file of identities to find in any spelling, `allow` a list of terms that are never PHI, `deny` a
    list of terms, each with its label, that always are, and `thresholds` a TOML file with the least confidence of each
    label. `patterns` is a TOML file of patterns of one's own (see `nadie.resolve.own_patterns`).
    """

    mode: Mode = Mode.BALANCED
    known: Path | None = None
    allow: Path | None = None
    deny: Path | None = None
    thresholds: Path | None = None
    patterns: Path | None = None
