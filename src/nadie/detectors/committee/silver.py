"""Silver documents: what a teacher found in notes that nobody has annotated, for a distilled model to learn from.

Only the passages stay that have something to teach. Where the teacher doubts a token, its guess must not be learned as
a truth; where it is sure of every token, as in the fields of a form, any model knows already, and a few are enough.
"""

from __future__ import annotations

import random
from bisect import bisect_left
from dataclasses import dataclass, replace

import numpy as np

from nadie.document import Document
from nadie.tokens.codec import encode
from nadie.tokens.passages import joined, passages
from nadie.tokens.probabilities import Floats, TokenProbabilities


@dataclass(frozen=True)
class Sifting:
    """The confidence of a passage is the probability of what the teacher said of its least probable token.

    A passage under `sure` is left out; of those that reach `known`, a share `kept_share` stays.
    """

    sure: float = 0.6
    known: float = 0.98
    kept_share: float = 0.03
    seed: int = 1


def sifted(document: Document, told: TokenProbabilities, by: Sifting) -> Document:
    """The part of an annotated document to learn from. `told` has the tokens of the document."""
    starts = [token.start for token in told.tokens]
    confidence = _confidence(document, told)
    dice = random.Random(f"{by.seed} {document.id}")  # noqa: S311 - variety, not secrecy
    kept = []
    for passage in passages(document):
        tokens = confidence[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]
        least = float(tokens.min(initial=1.0))
        if least >= by.sure and (least < by.known or dice.random() < by.kept_share):
            kept.append(passage)
    return replace(joined(document, kept), meta={**document.meta, "silver": "true"})


def _confidence(document: Document, told: TokenProbabilities) -> Floats:
    """The probability of what the spans of the document say of each token; 0 for a tag that has none."""
    column = {tag: number for number, tag in enumerate(told.tags)}
    said = [column.get(tag, -1) for tag in encode(told.tokens, document.spans)]
    with_none = np.pad(told.values, ((0, 0), (0, 1)))
    confidence: Floats = with_none[np.arange(len(said)), said]
    return confidence
