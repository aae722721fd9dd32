"""An evaluation: all scores of a system, with intervals, errors and operating points; comparison of two systems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from nadie.document import Document
from nadie.errors import CorpusError
from nadie.evaluation import official, statistics
from nadie.evaluation.curve import OperatingPoint, curve, has_scores
from nadie.evaluation.errors import Confusion, confusion
from nadie.evaluation.leaks import CharacterCounts
from nadie.evaluation.official import Counts
from nadie.evaluation.pairing import Pair, Pairing, pair
from nadie.evaluation.scores import DocumentScores, count_sentences, score_document
from nadie.evaluation.statistics import Interval, Measures
from nadie.tokens.tokenizer import tokenize


@dataclass(frozen=True)
class Evaluation:
    """The results of one system on one set of documents. Scores are fractions from 0 to 1.

    `sentences_from` is the source of the sentence counts; "nadie" means its own splitter.
    """

    pairs: tuple[Pair, ...]
    documents: tuple[DocumentScores, ...]
    missing: tuple[str, ...]
    sentences_from: str
    seed: int = 0

    @cached_property
    def subtask1(self) -> Counts:
        return official.total(document.subtask1 for document in self.documents)

    @cached_property
    def strict(self) -> Counts:
        return official.total(document.strict for document in self.documents)

    @cached_property
    def merged(self) -> Counts:
        return official.total(document.merged for document in self.documents)

    @cached_property
    def labels(self) -> dict[str, Counts]:
        return official.total_by_label(dict(document.labels) for document in self.documents)

    @cached_property
    def characters(self) -> CharacterCounts:
        return sum((document.characters for document in self.documents), CharacterCounts())

    @cached_property
    def characters_by_label(self) -> dict[str, CharacterCounts]:
        totals = {label: CharacterCounts() for label in self.labels}
        for document in self.documents:
            for label, counts in document.characters_by_label.items():
                totals[label] += counts
        return totals

    @property
    def sentences(self) -> int:
        return sum(document.sentences for document in self.documents)

    @property
    def token_count(self) -> int:
        return sum(document.token_count for document in self.documents)

    @property
    def leak(self) -> float:
        return official.leak(self.subtask1.fn, self.sentences)

    @cached_property
    def safe(self) -> int:
        """The number of documents in which nothing was missed."""
        return sum(document.leaked == 0 for document in self.documents)

    @property
    def safe_share(self) -> float:
        return self.safe / len(self.documents)

    @cached_property
    def confusion(self) -> Confusion:
        return confusion(match for document in self.documents for match in document.matches)

    @cached_property
    def measures(self) -> Measures:
        return statistics.overall(self.documents)

    @cached_property
    def intervals(self) -> dict[str, Interval | None]:
        """Confidence intervals by the names of `statistics.OVERALL`."""
        return statistics.intervals(self.measures, seed=self.seed)

    @cached_property
    def label_intervals(self) -> dict[str, Interval | None]:
        """Confidence intervals by `LABEL.f1` and `LABEL.characters.recall`."""
        return statistics.intervals(statistics.by_label(self.documents, tuple(self.labels)), seed=self.seed)

    @cached_property
    def curve(self) -> tuple[OperatingPoint, ...]:
        """The operating points; empty if the system's scores do not differ."""
        return curve(self.pairs, self.token_count) if has_scores(self.pairs) else ()


def evaluate(
    gold: Sequence[Document], system: Sequence[Document], *, sentences: Mapping[str, int] | None = None, seed: int = 0
) -> Evaluation:
    """Evaluate documents against gold documents with the same ids; a missing document counts as all missed."""
    return evaluate_pairs(pair(gold, system), sentences=sentences, seed=seed)


def evaluate_pairs(
    pairing: Pairing, *, sentences: Mapping[str, int] | None = None, sentences_from: str = "", seed: int = 0
) -> Evaluation:
    """Evaluate documents that are already paired. Without `sentences`, nadie counts them itself."""
    own = sentences is None
    counts = count_sentences([each.gold for each in pairing.pairs]) if sentences is None else sentences
    if unknown := [each.id for each in pairing.pairs if each.id not in counts]:
        raise CorpusError(f"no sentence count for {len(unknown)} documents, the first is {unknown[0]}")
    documents = tuple(
        score_document(each, sentences=counts[each.id], token_count=len(tokenize(each.text))) for each in pairing.pairs
    )
    source = "nadie" if own else sentences_from or "given"
    return Evaluation(pairing.pairs, documents, pairing.missing, source, seed)


@dataclass(frozen=True, slots=True)
class Difference:
    """One score of two systems. `p` is from a paired approximate-randomisation test, not corrected for multiple tests.

    `one` and `other` are None if the denominator is zero.
    """

    one: float | None
    other: float | None
    difference: float | None
    interval: Interval | None
    p: float


def compare(one: Evaluation, other: Evaluation) -> dict[str, Difference]:
    """Each score of `statistics.OVERALL`, with `other` minus `one`."""
    if [document.id for document in one.documents] != [document.id for document in other.documents]:
        raise CorpusError("the two systems were not evaluated on the same documents")
    ours, theirs = one.measures, other.measures
    first = statistics.quotients(ours.numerators.sum(0), ours.denominators.sum(0)).tolist()
    second = statistics.quotients(theirs.numerators.sum(0), theirs.denominators.sum(0)).tolist()
    spread = statistics.difference_intervals(ours, theirs, seed=one.seed)
    chance = statistics.p_values(ours, theirs, seed=one.seed)
    return {
        name: Difference(_known(a), _known(b), _known(b - a), spread[name], chance[name])
        for name, a, b in zip(ours.names, first, second, strict=True)
    }


def _known(score: float) -> float | None:
    return None if score != score else score
