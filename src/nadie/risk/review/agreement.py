"""How far two reviewers of the same notes agree, and how many leaks nobody found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nadie.document import Document, Span
from nadie.evaluation.agreement import kappas
from nadie.evaluation.pairing import Pair
from nadie.risk.recapture import unseen
from nadie.risk.review.figures import outcome
from nadie.risk.review.reading import Readings, ReviewedNote


class Agreement(NamedTuple):
    """Notes that two people read, Cohen's kappa over tokens, the known leaks, and an estimate of the unknown ones."""

    notes: int
    kappa: float | None
    leaks: int
    unseen: float


def agreement(notes: Sequence[ReviewedNote], readings: Readings) -> Agreement | None:
    """The agreement on the notes that two people read; None if there are none.

    The finders of leaks are the two people together and the model in recall mode; a leak is what the adjudicated note
    has.
    """
    twice = [note for note in notes if note.sampled.number in readings]
    if not twice:
        return None
    readers: set[object] = set()
    model: set[object] = set()
    pairs, leaks = [], 0
    for note in twice:
        number, text = note.sampled.number, note.gold.text
        first, second = readings[number]
        pairs.append(Pair(Document("", text, first), Document("", text, second)))
        for leak in outcome(note).leaking:
            leaks += 1
            for found, spans in ((readers, (*first, *second)), (model, note.sampled.possible)):
                if _touches(leak, spans):
                    found.add((number, leak.start, leak.end))
    return Agreement(len(twice), kappas(pairs)[""], leaks, unseen(leaks, readers, model))


def _touches(leak: Span, spans: Iterable[Span]) -> bool:
    return any(leak.overlaps(span) for span in spans)
