"""Why each span of a document was found: the stage, what is behind it, and the label that came second."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

import numpy as np

from nadie.detector import Detector, Probabilistic
from nadie.document import DOUBTFUL, FIELD, UNKNOWN_FIELD, Document, Span
from nadie.resolve.outside import COMPLETED
from nadie.spanish.folding import words_of
from nadie.tokens.codec import OUTSIDE
from nadie.tokens.probabilities import TokenProbabilities

_STAGES = {
    FIELD: ("file", "a field of the file"),
    UNKNOWN_FIELD: ("file", "a field whose meaning is not known"),
    DOUBTFUL: ("second model", "only the second model, or the shape of a name"),
    "threshold": ("threshold", "the probability reaches the threshold of the label"),
    "deny-list": ("list", "a denied term"),
}
_BEGINNINGS = {
    "own:": ("own pattern", "{}"),
    "patterns:": ("pattern", "{}"),
    "known:": ("known identities", "a known {}"),
}


@dataclass(frozen=True)
class Explanation:
    """Why a span was found. `stage` found it, because of `reason`; the span's score is the probability of its label.

    `runner_up` is the label that the model takes for second most likely, or `O` for none, with its probability; it is
    empty if no model found the span.
    """

    span: Span
    stage: str
    reason: str
    runner_up: str = ""
    runner_up_score: float = 0.0


def explanations(document: Document, detector: Detector) -> Iterator[Explanation]:
    """One explanation for each span of a document that a pipeline with this detector annotated."""
    second = None
    for span in document.spans:
        stage, reason = _stage(document, span)
        if stage not in ("model", "threshold") or not isinstance(detector, Probabilistic):
            yield Explanation(span, stage, reason)
            continue
        if second is None:
            (probabilities,) = detector.token_probabilities([Document("", document.text)])
            second = _Seconds(probabilities)
        yield Explanation(span, stage, reason, *second.of(span))


def _stage(document: Document, span: Span) -> tuple[str, str]:
    if span.source in _STAGES:
        return _STAGES[span.source]
    for beginning, (stage, reason) in _BEGINNINGS.items():
        if span.source.startswith(beginning):
            return stage, reason.format(span.source.removeprefix(beginning))
    if span.source.startswith(COMPLETED):
        first = _mention(document, span)
        behind = f"the span at {first.start}" if first else span.source.removeprefix(COMPLETED)
        return "completing", f"follows from {behind}"
    return "model", span.source


def _mention(document: Document, span: Span) -> Span | None:
    """The first span, found by another stage, that shares a word with this one."""
    words = set(words_of(document.text_of(span)))
    others = (other for other in document.spans if not other.source.startswith(COMPLETED))
    return next((other for other in others if words & set(words_of(document.text_of(other)))), None)


class _Seconds:
    """The labels of the tokens of a document, summed over their tags once for all spans."""

    def __init__(self, probabilities: TokenProbabilities) -> None:
        self._starts = [token.start for token in probabilities.tokens]
        self._ends = [token.end for token in probabilities.tokens]
        labels = sorted({tag[2:] for tag in probabilities.tags if tag != OUTSIDE})
        self._labels = [*labels, OUTSIDE]
        columns = [*map(probabilities.of_label, labels), probabilities.of_tag(OUTSIDE)]
        self._scores = np.column_stack(columns)

    def of(self, span: Span) -> tuple[str, float]:
        """The most likely label of the span but for its own, with its mean probability; empty if it has no token."""
        first, last = bisect_right(self._ends, span.start), bisect_left(self._starts, span.end)
        if first >= last:
            return "", 0.0
        scores = zip(self._labels, self._scores[first:last].mean(axis=0), strict=True)
        best, score = max((each for each in scores if each[0] != span.label), key=itemgetter(1))
        return best, float(score)
