"""The counts of one document; all scores of a corpus are computed from their sums."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nadie.document import Document
from nadie.evaluation import official
from nadie.evaluation.errors import SpanMatch, align
from nadie.evaluation.leaks import CharacterCounts, characters, characters_by_label, leaked
from nadie.evaluation.pairing import Pair
from nadie.tokens.sentences import split_sentences
from nadie.tokens.tokenizer import tokenize


@dataclass(frozen=True)
class DocumentScores:
    """The counts of one document. `leaked` is the number of letters and digits of PHI that stay readable."""

    id: str
    subtask1: official.Counts
    strict: official.Counts
    merged: official.Counts
    labels: Mapping[str, official.Counts]
    characters: CharacterCounts
    characters_by_label: Mapping[str, CharacterCounts]
    leaked: int
    sentences: int
    token_count: int
    matches: tuple[SpanMatch, ...]

    @property
    def errors(self) -> tuple[SpanMatch, ...]:
        return tuple(match for match in self.matches if match.kind is not None)


def score_document(pair: Pair, *, sentences: int, token_count: int) -> DocumentScores:
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
        token_count=token_count,
        matches=align(pair),
    )


def count_sentences(documents: Sequence[Document]) -> dict[str, int]:
    """The number of sentences of each document by nadie's own splitter: the denominator of the leak score.

    The task used another tool, so a leak score with these counts is not comparable with published figures.
    """
    return {document.id: len(split_sentences(document.text, tokenize(document.text))) for document in documents}
