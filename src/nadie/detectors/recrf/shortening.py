"""Shorter copies: most long sentences that hold nothing are left out of a varied copy of a note.

The copies of a note repeat its narrative, and the original teaches that already; what the copies are for is the
places around identifiers. Leaving the rest out makes training on several copies take about as long as on one.
"""

from __future__ import annotations

import random

from nadie.document import Document
from nadie.tokens.passages import joined, passages

_LONG = 12


def shortened(document: Document, dice: random.Random, kept_share: float) -> Document:
    """The document without most of its long sentences that no span touches."""
    return joined(
        document, [p for p in passages(document) if p.spans or p.words < _LONG or dice.random() <= kept_share]
    )
