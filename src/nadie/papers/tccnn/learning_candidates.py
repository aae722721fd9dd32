"""Learning the candidate filter from annotated notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from nadie.papers.tccnn.candidates import Generator, Place, after_pair, before_pair, touch
from nadie.papers.tccnn.config import CandidateRules
from nadie.papers.tccnn.note import NEW_LINE, TaggedWords

Gold = Mapping[Place, str]


@dataclass(frozen=True)
class FilterPlan:
    """How often something must occur in the notes before it is excluded or allowed.

    The paper takes the 15,000 most frequent words that never occur in an entity. MEDDOCAN's training notes have 16,199
    such words, 7,839 of which occur once; of these, the first in the alphabet fill the list. Here words seen outside
    fewer than five times are not excluded: they give few candidates, and entities of new notes contain such words.
    """

    coverage: float = 0.999  # share of the entities that the longest candidate must cover
    outside: int = 5  # occurrences of a stop word outside entities
    stop_words: int = 15_000
    edge_signs: int = 3  # entities with a sign at an edge before it is allowed there
    touches: int = 2  # entities next to a sign before it is allowed there
    hopeless: int = 100  # candidates of a pair without any entity
    literal: bool = False  # the paper's rules, without exceptions

    @classmethod
    def of(cls, rules: CandidateRules) -> FilterPlan:
        return cls(outside=1, hopeless=0, literal=True) if rules == "literal" else cls()


def learn_generator(notes: Sequence[TaggedWords], gold: Sequence[Gold], plan: FilterPlan) -> Generator:
    """The filter learned from these notes."""
    inside, outside = _word_counts(notes, gold)
    never = Counter({word: n for word, n in outside.items() if n >= plan.outside and word not in inside})
    longest = _longest(gold, plan.coverage)
    stop_words = frozenset(sorted(never, key=lambda word: (-never[word], word))[: plan.stop_words])
    if plan.literal:
        none: frozenset[str] = frozenset()
        return Generator(longest, stop_words, none, none, none, none, none, literal=True)
    edges = _edges(notes, gold)
    generator = Generator(
        longest=longest,
        stop_words=stop_words,
        first=_allowed(edges["first"], plan.edge_signs),
        last=_allowed(edges["last"], plan.edge_signs),
        inside=frozenset(inside),
        before=frozenset(word for word, n in edges["before"].items() if n >= plan.touches),
        after=frozenset(word for word, n in edges["after"].items() if n >= plan.touches),
    )
    return replace(generator, hopeless=_hopeless(generator, notes, gold, plan.hopeless)) if plan.hopeless else generator


def out_of_fold(
    notes: Sequence[TaggedWords], gold: Sequence[Gold], origins: Sequence[int], plan: FilterPlan, folds: int = 5
) -> list[list[Place]]:
    """The candidates of each note under a filter not trained on it; `origins` has the note that each is a copy of.

    A filter removes more from a note it was trained on than from a new one: a network trained on such candidates would
    not learn to reject the additional ones. Entities that the filter removes are added, so that they are learned as
    well.
    """
    found: list[list[Place]] = [[] for _ in notes]
    own = [i for i, origin in enumerate(origins) if origin == i]
    for fold in range(folds):
        kept = [i for i in own if i % folds != fold] or own
        generator = learn_generator([notes[i] for i in kept], [gold[i] for i in kept], plan)
        for i, origin in enumerate(origins):
            if origin % folds == fold:
                found[i] = sorted({*generator.places(notes[i]), *gold[i]})
    return found


def _word_counts(notes: Sequence[TaggedWords], gold: Sequence[Gold]) -> tuple[Counter[str], Counter[str]]:
    inside: Counter[str] = Counter()
    outside: Counter[str] = Counter()
    for note, places in zip(notes, gold, strict=True):
        covered = {i for first, stop in places for i in range(first, stop)}
        for i, word in enumerate(note.words):
            if word != NEW_LINE:
                (inside if i in covered else outside)[word] += 1
    return inside, outside


def _edges(notes: Sequence[TaggedWords], gold: Sequence[Gold]) -> dict[str, Counter[str]]:
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("first", "last", "before", "after")}
    for note, places in zip(notes, gold, strict=True):
        for first, stop in places:
            counts["first"][note.words[first]] += 1
            counts["last"][note.words[stop - 1]] += 1
            if note.glued[first]:
                counts["before"][touch(note.words[first - 1])] += 1
            if stop < len(note) and note.glued[stop]:
                counts["after"][touch(note.words[stop])] += 1
    return counts


def _allowed(counts: Counter[str], signs: int) -> frozenset[str]:
    return frozenset(word for word, n in counts.items() if word[0].isalnum() or n >= signs)


def _longest(gold: Sequence[Gold], coverage: float) -> int:
    lengths = sorted(stop - first for places in gold for first, stop in places)
    return lengths[min(len(lengths) - 1, int(coverage * len(lengths)))] if lengths else 1


def _hopeless(generator: Generator, notes: Sequence[TaggedWords], gold: Sequence[Gold], least: int) -> frozenset[str]:
    seen: Counter[str] = Counter()
    hopeful: set[str] = set()
    for note, places in zip(notes, gold, strict=True):
        for first, stop in generator.places(note):
            seen.update((before_pair(note, first), after_pair(note, stop - 1)))
        for first, stop in places:
            hopeful.update((before_pair(note, first), after_pair(note, stop - 1)))
    return frozenset(pair for pair, n in seen.items() if n >= least and pair not in hopeful)
