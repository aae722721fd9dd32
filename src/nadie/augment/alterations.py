"""The altered sets of the robustness suite: each changes one thing, with words that no training copy has."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from random import Random

from nadie.augment import layout, replacement, surface
from nadie.augment.split import Split
from nadie.document import Document

ALTERATIONS: dict[str, Callable[[Document, Random], Document]] = {
    "labels-removed": layout.labels_removed,
    "relabelled": partial(layout.relabelled, split=Split.HELD_OUT),
    "one-line": layout.one_plain_line,
    "upper": surface.upper,
    "lower": surface.lower,
    "no-accents": surface.without_accents,
    "typos": surface.typos,
    "nfd": surface.decomposed,
    "crlf": surface.crlf,
    "unseen-names": replacement.unseen_names,
}
