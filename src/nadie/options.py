"""The options that a caller sets: how spans are detected, and how they are replaced."""

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

    With `given`, spans are detected in documents that came without any. With `both`, given spans take precedence where
    they overlap detected ones.
    """

    GIVEN = "given"
    FOUND = "found"
    BOTH = "both"


class Rename(StrEnum):
    """How files and folders are named in the output.

    AUTO: names with PHI are replaced by a hash, others are kept. NUMBER, HASH: all are replaced. KEEP: none is
    replaced.
    """

    AUTO = "auto"
    NUMBER = "number"
    HASH = "hash"
    KEEP = "keep"


class Images(StrEnum):
    """What to do with images that may show text, such as scanned pages.

    READ: read them, and paint what identifies somebody. REFUSE: refuse the file. BLANK: blank them. KEEP: keep and list
    them.
    """

    READ = "read"
    REFUSE = "refuse"
    BLANK = "blank"
    KEEP = "keep"


class Form(StrEnum):
    """How anonymized texts are written: every file in its own format, or all texts as JSON lines."""

    TEXT = "text"
    JSONL = "jsonl"


@dataclass(frozen=True)
class DetectionOptions:
    """How spans are detected.

    `known` is a CSV file of identities to find in any spelling, `allow` a list of terms that are never PHI, `deny` a
    list of terms, each with its label, that always are PHI, and `thresholds` a TOML file with the minimum confidence of
    each label. `patterns` is a TOML file of custom patterns (see `nadie.resolve.own_patterns`). `scan_mode` is the mode
    for texts that are read from scans and other images, if the model has it. `second` is the model
    that is run as well where names are invented, `auto` or `none` (see `nadie.run.second_look`), and with `strict`
    every word that looks like a name is masked.
    """

    mode: Mode = Mode.BALANCED
    known: Path | None = None
    allow: Path | None = None
    deny: Path | None = None
    thresholds: Path | None = None
    patterns: Path | None = None
    scan_mode: Mode = Mode.RECALL
    second: str = "auto"
    strict: bool = False
