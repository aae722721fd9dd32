"""The suite itself: one system, the hand-written notes, and altered copies of an annotated corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol, runtime_checkable

from nadie.document import Document, Span
from nadie.evaluation.characters import CharacterCounts, characters_by_label
from nadie.evaluation.pairing import Pair
from nadie.evaluation.suite.collection import Note, load_notes
from nadie.evaluation.suite.tally import Tally, tally
from nadie.resolve.overlaps import disjoint

Alteration = Callable[[Document, Random], Document]
"""A document and a source of chance → the same document in other clothes, with its spans where they now stand."""

PLAIN = "plain"


@runtime_checkable
class Annotator(Protocol):
    """What annotates documents, as nadie's pipeline does."""

    def annotate_all(self, documents: Iterable[Document]) -> Iterator[Document]: ...


class Finder(Protocol):
    """What finds spans in documents, as a bare detector does; its overlaps are settled here."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...


@dataclass(frozen=True)
class SuiteResult:
    """What one system did. `corpus` has the score of the corpus as it is under `PLAIN`, then one for each alteration;
    it is empty where no corpus was given."""

    notes: Tally
    by_country: Mapping[str, Tally]
    by_style: Mapping[str, Tally]
    by_label: Mapping[str, CharacterCounts]
    corpus: Mapping[str, Tally] = field(default_factory=dict)
    seed: int = 0

    def summary(self) -> dict[str, Any]:
        """The whole result as plain data for `--json`."""
        return {
            "seed": self.seed,
            "notes": self.notes.summary(),
            "by_country": {name: each.summary() for name, each in self.by_country.items()},
            "by_style": {name: each.summary() for name, each in self.by_style.items()},
            "by_label": {
                label: {"characters": counts.gold, "covered": counts.both, "recall": counts.recall}
                for label, counts in self.by_label.items()
            },
            "corpus": {name: each.summary() for name, each in self.corpus.items()},
        }


def run_suite(
    system: Annotator | Finder,
    gold_dev: Sequence[Document] | None = None,
    *,
    alterations: Mapping[str, Alteration] | None = None,
    notes: Sequence[Note] | None = None,
    seed: int = 0,
    watch: Callable[[str], None] = lambda part: None,
) -> SuiteResult:
    """Measure `system` on the hand-written notes and, where a corpus is given, on it and on its altered copies.

    The system never sees gold spans. `watch` is told the name of each part as it begins.
    """
    watch("hand-written notes")
    notes = load_notes() if notes is None else notes
    pairs = _pairs(system, [note.document for note in notes])
    tallies = [tally(pair, note.traps) for pair, note in zip(pairs, notes, strict=True)]
    return SuiteResult(
        notes=sum(tallies, Tally()),
        by_country=_grouped(tallies, [note.country for note in notes]),
        by_style=_grouped(tallies, [note.style for note in notes]),
        by_label=_by_label(pairs),
        corpus=_altered(system, gold_dev, alterations or {}, seed, watch) if gold_dev else {},
        seed=seed,
    )


def _altered(
    system: Annotator | Finder,
    gold: Sequence[Document],
    alterations: Mapping[str, Alteration],
    seed: int,
    watch: Callable[[str], None],
) -> dict[str, Tally]:
    """The plain score, then the score of each altered copy. What happens to a document depends on the seed, the
    alteration and the document's id alone, not on the other documents."""
    tallies = {}
    for name, alter in {PLAIN: _as_it_is, **alterations}.items():
        watch(name)
        documents = [alter(document, Random(f"{seed} {name} {document.id}")) for document in gold]  # noqa: S311
        tallies[name] = sum(map(tally, _pairs(system, documents)), Tally())
    return tallies


def _as_it_is(document: Document, chance: Random) -> Document:
    return document


def _pairs(system: Annotator | Finder, gold: Sequence[Document]) -> list[Pair]:
    bare = [document.with_spans(()) for document in gold]
    if isinstance(system, Annotator):
        found = list(system.annotate_all(bare))
    else:
        found = [each.with_spans(disjoint(spans)) for each, spans in zip(bare, system.detect(bare), strict=True)]
    return [Pair(expected, got) for expected, got in zip(gold, found, strict=True)]


def _grouped(tallies: Sequence[Tally], names: Sequence[str]) -> dict[str, Tally]:
    groups: dict[str, Tally] = defaultdict(Tally)
    for each, name in zip(tallies, names, strict=True):
        groups[name] += each
    return dict(sorted(groups.items()))


def _by_label(pairs: Sequence[Pair]) -> dict[str, CharacterCounts]:
    totals: dict[str, CharacterCounts] = defaultdict(CharacterCounts)
    for pair in pairs:
        for label, counts in characters_by_label(pair).items():
            totals[label] += counts
    return dict(sorted(totals.items()))
