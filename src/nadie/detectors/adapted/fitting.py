"""Adapting a model to reviewed notes in numpy: the layer over its tags, its terms, and the calibration of scores."""

from __future__ import annotations

import secrets
from collections import Counter, defaultdict
from collections.abc import Sequence

import numpy as np

from nadie.detector import Model
from nadie.detectors.adapted.layer import Floats, Layer, fit_layer
from nadie.detectors.adapted.model import Adapted, probabilistic
from nadie.detectors.adapted.terms import HashedTerms
from nadie.document import Document
from nadie.labels import Label
from nadie.neural.model import Calibration, fit_calibration
from nadie.resolve.terms import Terms, folded_words
from nadie.tokens.codec import ProbabilityDecoder, encode
from nadie.tokens.probabilities import TokenProbabilities
from nadie.tokens.view import seen

_LISTED = frozenset({Label.NOMBRE_PERSONAL_SANITARIO, Label.HOSPITAL, Label.CENTRO_SALUD, Label.INSTITUCION})
"""The labels whose values recur in the notes of a centre. Values of patients never become terms."""
_LEAST_NOTES = 2
_SHORTEST = 5
_RIDGE = 1000.0


def fit_adapted(
    base: Model, notes: Sequence[Document], replay: Sequence[Document], *, lists_only: bool = False
) -> Adapted:
    """Adapt a model to reviewed notes. On `replay` it is to stay as it is, so that nothing is forgotten."""
    detector, bias = probabilistic(base)
    own = [seen(note) for note in notes]
    known = detector.token_probabilities(own)
    terms = HashedTerms.of(recurring_terms(own), secrets.token_bytes(16))
    tags = known[0].tags
    if lists_only:
        layer = Layer.identity(tags)
        return Adapted(base, layer, terms, _calibration(layer, bias, own, known))
    values = [each.values for each in known]
    targets = [_targets(note, each) for note, each in zip(own, known, strict=True)]
    others = [seen(note) for note in replay]
    for each in detector.token_probabilities(others):
        values.append(each.values)
        targets.append(each.values)
    given, wanted = (np.concatenate(parts).astype(np.float32) for parts in (values, targets))
    layer = fit_layer(tags, given, wanted, _RIDGE)
    return Adapted(base, layer, terms, _calibration(layer, bias, own, known))


def recurring_terms(notes: Sequence[Document]) -> dict[str, str]:
    """Names of staff and centres in two notes or more that are never anything else in these notes, with their label."""
    where: dict[str, set[int]] = defaultdict(set)
    labels: dict[str, Counter[str]] = defaultdict(Counter)
    for number, note in enumerate(notes):
        for span in note.spans:
            term = " ".join(word.folded for word in folded_words(note.text_of(span)))
            labels[term][span.label] += 1
            if span.label in _LISTED and len(term) >= _SHORTEST:
                where[term].add(number)
    kept = {term: labels[term].most_common(1)[0][0] for term, found in where.items() if len(found) >= _LEAST_NOTES}
    searched = Terms()
    for term in kept:
        searched.add(term, term)
    for note in notes:
        for match in searched.find(note.text):
            if not any(match.start < span.end and span.start < match.end for span in note.spans):
                kept.pop(match.payload, None)
    return kept


def _targets(note: Document, known: TokenProbabilities) -> Floats:
    """(T, K): 1 for the gold tag of each token; a tag that the model does not have is left as the model has it."""
    places = {tag: place for place, tag in enumerate(known.tags)}
    targets = known.values.astype(np.float32).copy()
    for row, tag in enumerate(encode(known.tokens, note.spans)):
        if tag in places:
            targets[row] = 0.0
            targets[row, places[tag]] = 1.0
    return targets


def _calibration(
    layer: Layer, bias: float, notes: Sequence[Document], known: Sequence[TokenProbabilities]
) -> Calibration:
    decoder = ProbabilityDecoder(layer.tags)
    answers = [
        (sure, (each.tokens[c.first].start, each.tokens[c.stop - 1].end, c.label) in places)
        for note, each in zip(notes, known, strict=True)
        for places in [{(span.start, span.end, span.label) for span in note.spans}]
        for c, sure in decoder.chunks(layer.apply(each.values, bias))
    ]
    return fit_calibration([sure for sure, _ in answers], [right for _, right in answers])
