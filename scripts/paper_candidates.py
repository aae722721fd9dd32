"""How TCCNN's network classifies candidates, without the final filter: Table 1 of Porta-Zamorano 2019."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from nadie.document import Document
from nadie.papers.tccnn.classify import Classifier
from nadie.papers.tccnn.note import gold_places, read_notes
from nadie.papers.tccnn.vocabulary import NO_ENTITY
from nadie.tokens.view import seen


def candidate_figures(classifier: Classifier, documents: Sequence[Document]) -> dict[str, Any]:
    """In per cent: the accuracy, the share of candidates that are no entity, and precision, recall and F1 of each label
    with the number of its candidates.
    """
    shown = [seen(document) for document in documents]
    texts = [document.text for document in shown]
    notes = read_notes(texts)
    places = [classifier.generator.places(note) for note in notes]
    best = classifier.probabilities(notes, texts, places).argmax(axis=1)
    found = [classifier.vocabulary.labels[i] for i in best.tolist()]
    gold = [
        entities.get(place, NO_ENTITY)
        for note, document, own in zip(notes, shown, places, strict=True)
        for entities in [gold_places(note, document)]
        for place in own
    ]
    right = Counter(label for label, other in zip(gold, found, strict=True) if label == other)
    said, true = Counter(found), Counter(gold)
    return {
        "accuracy": _share(right.total(), len(gold)),
        "no_entity": _share(true[NO_ENTITY], len(gold)),
        "labels": {
            str(label): [
                _share(right[label], said[label]),
                _share(right[label], true[label]),
                _share(2 * right[label], said[label] + true[label]),
                true[label],
            ]
            for label in sorted(true.keys() - {NO_ENTITY})
        },
    }


def _share(part: int, whole: int) -> float:
    return round(100 * part / whole, 2) if whole else 0.0
