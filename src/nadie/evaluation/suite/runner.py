"""The suite: runs one system on the hand-written notes and on altered copies of an annotated corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any, Protocol, runtime_checkable

from nadie.document import Document, Span
from nadie.evaluation.leaks import CharacterCounts, characters_by_label
from nadie.evaluation.pairing import Pair
from nadie.evaluation.suite.counts import GroupCounts, count
from nadie.files.annotated.notes import Notes
from nadie.resolve.overlaps import disjoint

Alteration = Callable[[Document, Random], Document]
"""A document and a random generator → the altered document, with its spans moved accordingly."""

PLAIN = "plain"


@runtime_checkable
class Annotator(Protocol):
    """A system that annotates documents, as nadie's pipeline does."""

    def annotate_all(self, documents: Iterable[Document]) -> Iterator[Document]: ...


class Finder(Protocol):
    """A detector on its own; overlaps between its spans are resolved here."""

    def detect(self, documents: Sequence[Document]) -> list[tuple[Span, ...]]: ...


@dataclass(frozen=True)
class SuiteResult:
    """The results of one system. `corpus` has the counts of the unchanged corpus under `PLAIN`, then those of each
    alteration; it is empty if no corpus was given.
    """

    notes: GroupCounts
    by_country: Mapping[str, GroupCounts]
    by_style: Mapping[str, GroupCounts]
    by_label: Mapping[str, CharacterCounts]
    corpus: Mapping[str, GroupCounts] = field(default_factory=dict)
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


def load_notes() -> tuple[Document, ...]:
    """The hand-written notes that ship with nadie, in the order of their files; their traps are in their meta."""
    return tuple(Notes().read(Path(str(files("nadie"))) / "evaluation" / "suite" / "notes"))


def run_suite(
    system: Annotator | Finder,
    gold_dev: Sequence[Document] | None = None,
    *,
    alterations: Mapping[str, Alteration] | None = None,
    notes: Sequence[Document] | None = None,
    seed: int = 0,
    watch: Callable[[str], None] = lambda part: None,
) -> SuiteResult:
    """Measure `system` on the hand-written notes and, if a corpus is given, on it and on its altered copies.

    The system never sees gold spans. `watch` is called with the name of each part as it begins.
    """
    watch("hand-written notes")
    notes = load_notes() if notes is None else notes
    pairs = _pairs(system, notes)
    counts = [count(pair) for pair in pairs]
    return SuiteResult(
        notes=sum(counts, GroupCounts()),
        by_country=_grouped(counts, [note.meta["country"] for note in notes]),
        by_style=_grouped(counts, [note.meta["style"] for note in notes]),
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
) -> dict[str, GroupCounts]:
    """The score of the unchanged corpus, then of each altered copy. The alteration of a document depends only on the
    seed, the alteration and the document's id, not on the other documents.
    """
    counts = {}
    for name, alter in {PLAIN: _as_it_is, **alterations}.items():
        watch(name)
        # Without meta, because offsets in it, such as those of traps, are not moved.
        documents = [replace(alter(each, Random(f"{seed} {name} {each.id}")), meta={}) for each in gold]  # noqa: S311
        counts[name] = sum(map(count, _pairs(system, documents)), GroupCounts())
    return counts


def _as_it_is(document: Document, chance: Random) -> Document:
    return document


def _pairs(system: Annotator | Finder, gold: Sequence[Document]) -> list[Pair]:
    bare = [document.with_spans(()) for document in gold]
    if isinstance(system, Annotator):
        found = list(system.annotate_all(bare))
    else:
        found = [each.with_spans(disjoint(spans)) for each, spans in zip(bare, system.detect(bare), strict=True)]
    return [Pair(expected, got) for expected, got in zip(gold, found, strict=True)]


def _grouped(counts: Sequence[GroupCounts], names: Sequence[str]) -> dict[str, GroupCounts]:
    groups: dict[str, GroupCounts] = defaultdict(GroupCounts)
    for each, name in zip(counts, names, strict=True):
        groups[name] += each
    return dict(sorted(groups.items()))


def _by_label(pairs: Sequence[Pair]) -> dict[str, CharacterCounts]:
    totals: dict[str, CharacterCounts] = defaultdict(CharacterCounts)
    for pair in pairs:
        for label, counts in characters_by_label(pair).items():
            totals[label] += counts
    return dict(sorted(totals.items()))
