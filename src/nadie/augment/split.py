"""The split of names, towns, labels and templates into training and held-out, by a hash of their letters.

The robustness suite alters notes with held-out words, on which no model was trained.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from enum import StrEnum
from functools import cache
from importlib.resources import files

from nadie.spanish.folding import fold
from nadie.spanish.names import PARTICLES, SAINTS

_HELD_OUT_SHARE = 8


class Split(StrEnum):
    """The side of the vocabulary from which a recipe takes its words."""

    TRAINING = "training"
    HELD_OUT = "held-out"


def split_of(text: str) -> Split:
    """The side of a whole entry: a town, a street, a sentence."""
    return Split.HELD_OUT if zlib.crc32(fold(text).encode()) % _HELD_OUT_SHARE == 0 else Split.TRAINING


def name_split(name: str) -> Split | None:
    """The side of every word of a personal name, or None if its words are on different sides.

    The most common names are always on the training side: every model finds them, so they would not measure anything.
    """
    words = [word for word in fold(name).replace("-", " ").replace("'", " ").split() if word not in PARTICLES | SAINTS]
    sides = {Split.TRAINING if word in _common_names() else split_of(word) for word in words}
    return sides.pop() if len(sides) == 1 else None


def choose(entries: Iterable[str], split: Split) -> tuple[str, ...]:
    """The entries of one side."""
    return tuple(entry for entry in entries if split_of(entry) is split)


def choose_names(names: Iterable[str], split: Split) -> tuple[str, ...]:
    """The personal names of one side."""
    return tuple(name for name in names if name_split(name) is split)


@cache
def _common_names() -> frozenset[str]:
    text = (files("nadie.augment") / "data" / "common_names.txt").read_text(encoding="utf-8")
    return frozenset(fold(text).split())
