"""The parrot attack (Carrell et al. 2020): who runs the same detector on an output sees what it does not find again.

A missed name was not found in the original and is seldom found in the output; an invented name nearly always is. So the
attacker lists everything that looks like a name, ranks it by how little the detector recognises it, and reads from the
top.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from nadie.document import Span
from nadie.labels import NAMES
from nadie.resolve.name_like import is_name_like
from nadie.resolve.name_words import is_eponym

_WORD = re.compile(r"[^\W\d_]{3,}")
_BETWEEN = re.compile(r"[ \t.,-]{1,3}(?:(?:de|del|la|las|los|y|i|da|do|dos|van|von) )?")
_BORNE = 1.0  # what the tables of names add to the suspicion


class Mention(NamedTuple):
    """What may be a name in an output, and how suspicious it is: above 1 if the detector does not find it at all."""

    start: int
    end: int
    suspicion: float

    @property
    def is_unseen(self) -> bool:
        return self.suspicion >= 1.0


def mentions(text: str, found: Sequence[Span], possible: Sequence[Span]) -> list[Mention]:
    """All possible names of an output, in order.

    `found` are the spans that the detector finds in the output, and `possible` those that it finds in recall mode. A
    name that is found is the more suspicious the lower its score; a word that is not found, the more it looks like a
    name, by the detector's score in recall mode and by the tables of names.
    """
    seen = [Mention(span.start, span.end, 1.0 - min(span.score, 1.0)) for span in found if span.label in NAMES]
    covered = _covered(text, ((span.start, span.end, 1.0) for span in found))
    scores = _covered(text, ((span.start, span.end, span.score) for span in possible if span.label in NAMES))
    unseen: list[Mention] = []
    for match in _WORD.finditer(text):
        start, end = match.span()
        if any(covered[start:end]):
            continue
        is_borne, score = is_name_like(text, start, end), max(scores[start:end])
        if not is_borne and (not score or match.group()[0].islower() or is_eponym(text, start, end)):
            continue
        mention = Mention(start, end, 1.0 + score + is_borne * _BORNE)
        if unseen and _BETWEEN.fullmatch(text, unseen[-1].end, start):
            before = unseen.pop()
            mention = Mention(before.start, end, max(before.suspicion, mention.suspicion))
        unseen.append(mention)
    return sorted([*seen, *unseen])


def _covered(text: str, ranges: Iterable[tuple[int, int, float]]) -> list[float]:
    values = [0.0] * len(text)
    for start, end, value in ranges:
        values[start:end] = [value] * (end - start)
    return values
