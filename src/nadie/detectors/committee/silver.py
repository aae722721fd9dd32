"""Silver documents: unannotated notes with the spans of a teacher, for training a distilled model.

Only useful passages are kept. A passage with a token of low probability is dropped, because the teacher may be wrong
there. Of the passages with high probabilities throughout, such as the fields of a form, a few are enough.
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
    """How passages are selected. A passage's confidence is the lowest probability of one of its tags.

    A passage below `sure` is dropped; of those that reach `known`, a share `kept_share` is kept.
    """

    sure: float = 0.6
    known: float = 0.98
    kept_share: float = 0.03
    seed: int = 1


def sifted(document: Document, probabilities: TokenProbabilities, by: Sifting) -> Document:
    """The part of an annotated document to train on. `probabilities` has the tokens of the document."""
    starts = [token.start for token in probabilities.tokens]
    confidence = _confidence(document, probabilities)
    dice = random.Random(f"{by.seed} {document.id}")  # noqa: S311 - not for cryptography
    kept = []
    for passage in passages(document):
        tokens = confidence[bisect_left(starts, passage.start) : bisect_left(starts, passage.end)]
        least = float(tokens.min(initial=1.0))
        if least >= by.sure and (least < by.known or dice.random() < by.kept_share):
            kept.append(passage)
    return replace(joined(document, kept), meta={**document.meta, "silver": "true"})


def _confidence(document: Document, probabilities: TokenProbabilities) -> Floats:
    """For each token, the probability of its tag under the spans of the document; 0 for a tag without a probability."""
    column = {tag: number for number, tag in enumerate(probabilities.tags)}
    said = [column.get(tag, -1) for tag in encode(probabilities.tokens, document.spans)]
    with_none = np.pad(probabilities.values, ((0, 0), (0, 1)))
    confidence: Floats = with_none[np.arange(len(said)), said]
    return confidence
