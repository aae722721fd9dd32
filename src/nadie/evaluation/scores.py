"""All that is counted in one document; every score of a corpus is made of sums of these."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from nadie.evaluation import official
from nadie.evaluation.alignment import Match, align
from nadie.evaluation.characters import CharacterCounts, characters, characters_by_label
from nadie.evaluation.documents import leaked
from nadie.evaluation.pairing import Pair


@dataclass(frozen=True)
class DocumentScores:
    """The counts of one document. `leaked` are its letters and digits of protected text that stay readable."""

    id: str
    subtask1: official.Counts
    strict: official.Counts
    merged: official.Counts
    labels: Mapping[str, official.Counts]
    characters: CharacterCounts
    characters_by_label: Mapping[str, CharacterCounts]
    leaked: int
    sentences: int
    tokens: int
    matches: tuple[Match, ...]

    @property
    def errors(self) -> tuple[Match, ...]:
        return tuple(match for match in self.matches if match.kind is not None)


def score_document(pair: Pair, *, sentences: int, tokens: int) -> DocumentScores:
    return DocumentScores(
        id=pair.id,
        subtask1=official.subtask1(pair),
        strict=official.strict(pair),
        merged=official.merged(pair),
        labels=official.by_label(pair),
        characters=characters(pair),
        characters_by_label=characters_by_label(pair),
        leaked=leaked(pair),
        sentences=sentences,
        tokens=tokens,
        matches=align(pair),
    )
