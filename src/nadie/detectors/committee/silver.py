"""Silver notes: what a teacher found in notes that nobody has annotated, where it was sure, for a pupil to learn from.

A passage in which the teacher doubts any word is left out, so that its guesses are not learned as truths. Of the long
passages that hold nothing only some stay: there are very many, and they are all alike.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from dataclasses import dataclass
from itertools import accumulate

from nadie.detectors.base import Belief
from nadie.document import Document
from nadie.tokens.passages import joined, passages

_LONG = 12


@dataclass(frozen=True)
class Sifting:
    """`sure` is the least probability of a word's likeliest tag; `kept_share` is of long passages without spans."""

    sure: float = 0.6
    kept_share: float = 0.2
    seed: int = 1


def sifted(document: Document, belief: Belief, by: Sifting) -> Document:
    """The part of an annotated document that its annotator was sure of. The tokens of `belief` are the document's."""
    starts = [token.start for token in belief.tokens]
    doubted = [0, *accumulate(int(most < by.sure) for most in belief.probabilities.max(axis=1, initial=0.0))]
    dice = random.Random(f"{by.seed} {document.id}")  # noqa: S311 - variety, not secrecy
    kept = []
    for passage in passages(document):
        if doubted[bisect_left(starts, passage.end)] > doubted[bisect_left(starts, passage.start)]:
            continue
        if passage.spans or passage.words < _LONG or dice.random() <= by.kept_share:
            kept.append(passage)
    return joined(document, kept)
