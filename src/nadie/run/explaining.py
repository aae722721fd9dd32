"""Why each span of a document was found: the stage, what is behind it, and the label that came second."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

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
    probabilities = None
    for span in document.spans:
        stage, reason = _stage(document, span)
        if stage not in ("model", "threshold") or not isinstance(detector, Probabilistic):
            yield Explanation(span, stage, reason)
            continue
        if probabilities is None:
            (probabilities,) = detector.token_probabilities([Document("", document.text)])
        yield Explanation(span, stage, reason, *_runner_up(probabilities, span))


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


def _runner_up(probabilities: TokenProbabilities, span: Span) -> tuple[str, float]:
    inside = [n for n, token in enumerate(probabilities.tokens) if token.start < span.end and span.start < token.end]
    if not inside:
        return "", 0.0
    labels = sorted({tag[2:] for tag in probabilities.tags if tag != OUTSIDE} - {span.label})
    scores = {label: float(np.mean(probabilities.of_label(label)[inside])) for label in labels}
    scores[OUTSIDE] = float(np.mean(probabilities.of_tag(OUTSIDE)[inside]))
    best = max(scores, key=lambda label: scores[label])
    return best, scores[best]
