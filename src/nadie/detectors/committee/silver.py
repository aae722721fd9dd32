"""Silver notes: what a teacher found in notes that nobody has annotated, for a pupil to learn from.

Only the passages stay that have something to teach. Where the teacher doubts a word, its guess must not be learned as a
truth; where it is sure of every word, as in the fields of a form, the pupil knows already, and a few are enough.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from dataclasses import dataclass, replace

from nadie.detectors.base import Belief
from nadie.document import Document
from nadie.tokens.passages import joined, passages


@dataclass(frozen=True)
class Sifting:
    """A passage is as sure as the likeliest tag of its least sure word.

    One that is less sure than `sure` is left out; of those that are at least as sure as `known`, `kept_share` stay.
    """

    sure: float = 0.6
    known: float = 0.98
    kept_share: float = 0.03
    seed: int = 1


def sifted(document: Document, belief: Belief, by: Sifting) -> Document:
    """The part of an annotated document that teaches. The tokens of `belief` are the document's."""
    starts = [token.start for token in belief.tokens]
    sureness = belief.probabilities.max(axis=1, initial=0.0)
    dice = random.Random(f"{by.seed} {document.id}")  # noqa: S311 - variety, not secrecy
    kept = []
    for passage in passages(document):
        words = sureness[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]
        least = float(words.min(initial=1.0))
        if least >= by.sure and (least < by.known or dice.random() < by.kept_share):
            kept.append(passage)
    return replace(joined(document, kept), meta={**document.meta, "silver": "true"})
