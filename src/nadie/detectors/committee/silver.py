"""Silver notes: what a teacher found in notes that nobody has annotated, for a pupil to learn from.

Only the passages stay that have something to teach. Where the teacher doubts a word, its guess must not be learned as a
truth; where it is sure of every word, as in the fields of a form, the pupil knows already, and a few are enough.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from nadie.detectors.base import Belief
from nadie.document import Document
from nadie.tokens.codec import encode
from nadie.tokens.passages import joined, passages


@dataclass(frozen=True)
class Sifting:
    """A passage is as sure as the teacher's belief in what it said of the least sure word there.

    One that is less sure than `sure` is left out; of those that are at least as sure as `known`, `kept_share` stay.
    """

    sure: float = 0.6
    known: float = 0.98
    kept_share: float = 0.03
    seed: int = 1


def sifted(document: Document, belief: Belief, by: Sifting) -> Document:
    """The part of an annotated document that teaches. The tokens of `belief` are the document's."""
    starts = [token.start for token in belief.tokens]
    sureness = _sureness(document, belief)
    dice = random.Random(f"{by.seed} {document.id}")  # noqa: S311 - variety, not secrecy
    kept = []
    for passage in passages(document):
        words = sureness[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]
        least = float(words.min(initial=1.0))
        if least >= by.sure and (least < by.known or dice.random() < by.kept_share):
            kept.append(passage)
    return replace(joined(document, kept), meta={**document.meta, "silver": "true"})


def _sureness(document: Document, belief: Belief) -> npt.NDArray[np.float32]:
    """The probability of what the spans of the document say of each token; 0 for a tag of which there is no belief."""
    column = {tag: number for number, tag in enumerate(belief.tags)}
    said = [column.get(tag, -1) for tag in encode(belief.tokens, document.spans)]
    with_none = np.pad(belief.probabilities, ((0, 0), (0, 1)))
    sureness: npt.NDArray[np.float32] = with_none[np.arange(len(said)), said]
    return sureness
