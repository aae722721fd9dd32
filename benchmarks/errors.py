"""The errors of a system by class, each with the labels of the same words in the training notes.

    python benchmarks/errors.py GOLD FOUND... --train TRAIN [--list] [--clean OUT]

GOLD and TRAIN are annotated notes, FOUND is the output of `nadie annotate` for GOLD's texts. Spans that overlap are one
error. With --list every error is printed with the number of times that the training notes label the same words as gold
does here, and as the system does: if the second is larger, the annotation may be wrong. With several FOUND only the
errors that all of them make are printed; on their own training notes, these are places where the annotation is probably
wrong.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from nadie.document import Document, Span
from nadie.files.annotated.reading import read_documents
from nadie.files.format import FORMATS

NOTHING = "-"


@dataclass(frozen=True)
class Error:
    """Overlapping spans on which gold and system differ."""

    document: Document
    gold: tuple[Span, ...]
    found: tuple[Span, ...]

    @property
    def kind(self) -> str:
        if not self.found:
            return "missed"
        if not self.gold:
            return "found where there is nothing"
        if len(self.gold) > 1 or len(self.found) > 1:
            return "split or joined"
        (gold,), (found,) = self.gold, self.found
        same_place = (gold.start, gold.end) == (found.start, found.end)
        if gold.label == found.label:
            return "border"
        return "type" if same_place else "border and type"

    @property
    def labels(self) -> str:
        return f"{_labels(self.gold)} → {_labels(self.found)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("gold", type=Path)
    parser.add_argument("found", type=Path, nargs="+")
    parser.add_argument("--train", type=Path, required=True)
    parser.add_argument("--list", action="store_true", help="every error with its words")
    parser.add_argument("--clean", type=Path, help="write GOLD there, with the errors that --train sides with undone")
    given = parser.parse_args()
    found = [{document.id: document for document in read_documents(path)} for path in given.found]
    golds = list(read_documents(given.gold))
    errors = [e for gold in golds for e in shared_errors(gold, [f[gold.id] for f in found])]
    known = Conventions(read_documents(given.train))
    print(f"{'class':<30}{'errors':>8}{'gold spans':>12}{'found spans':>13}{'training sides with found':>27}")
    for kind, group in grouped(errors, lambda e: e.kind):
        missed, new = sum(len(e.gold) for e in group), sum(len(e.found) for e in group)
        print(f"{kind:<30}{len(group):>8}{missed:>12}{new:>13}{sum(known.side_with_found(e) for e in group):>27}")
    print()
    for labels, group in grouped(errors, lambda e: e.labels):
        print(f"{len(group):>5}  {labels}")
    if given.list:
        for kind, group in grouped(errors, lambda e: e.kind):
            print(f"\n## {kind}")
            for error in sorted(group, key=lambda e: e.labels):
                print(f"{error.document.id}  {error.labels}  {_quoted(error)}  {known.frequency(error)}")
    if given.clean:
        with FORMATS.get("jsonl")().writer(given.clean) as write:
            for gold in golds:
                write(cleaned(gold, [e for e in errors if e.document is gold and known.side_with_found(e)]))


def cleaned(gold: Document, errors: Iterable[Error]) -> Document:
    """The note with the systems' spans where the training notes support them, and the gold spans elsewhere."""
    spans = set(gold.spans)
    for error in errors:
        spans = spans.difference(error.gold).union(error.found)
    return gold.with_spans(spans)


def shared_errors(gold: Document, found: Sequence[Document]) -> list[Error]:
    """The identical errors of all systems."""
    first, *others = ([*errors_of(gold, each.spans)] for each in found)
    return [error for error in first if all(error in other for other in others)]


def errors_of(gold: Document, spans: Iterable[Span]) -> Iterator[Error]:
    expected, given = set(gold.spans), set(spans)
    wrong = sorted([*(expected - given), *(given - expected)])
    group: list[Span] = []
    end = -1
    for span in [*wrong, None]:
        if group and (span is None or span.start >= end):
            yield Error(gold, tuple(s for s in group if s in expected), tuple(s for s in group if s not in expected))
            group, end = [], -1
        if span is not None:
            group.append(span)
            end = max(end, span.end)


class Conventions:
    """How the training notes label words."""

    def __init__(self, documents: Iterable[Document]) -> None:
        self._documents = list(documents)
        self._annotated: dict[str, Counter[str]] = defaultdict(Counter)
        for document in self._documents:
            for span in document.spans:
                self._annotated[document.text_of(span).lower()][span.label] += 1
        self._text = "\n".join(document.text for document in self._documents).lower()

    def of(self, words: str) -> Counter[str]:
        """How often the words have each label; `-` is how often they are not a whole span."""
        said = Counter(self._annotated.get(words.lower(), {}))
        everywhere = len(re.findall(rf"(?<!\w){re.escape(words.lower())}(?!\w)", self._text))
        said[NOTHING] = max(0, everywhere - said.total())
        return said

    def side_with_found(self, error: Error) -> bool:
        """Whether the training notes support the found label more often than the gold label."""
        as_gold, as_found = self._examples(error, error.gold), self._examples(error, error.found)
        return as_found > as_gold and as_found >= 2

    def frequency(self, error: Error) -> str:
        return f"gold {self._examples(error, error.gold)}, found {self._examples(error, error.found)}"

    def _examples(self, error: Error, spans: Sequence[Span]) -> int:
        """The count of the rarest span; without spans, how often the words of the other side are not labelled."""
        if spans:
            return min(self.of(error.document.text_of(span))[span.label] for span in spans)
        return min(self.of(error.document.text_of(span))[NOTHING] for span in (*error.gold, *error.found))


def grouped(errors: Sequence[Error], key: Callable[[Error], str]) -> list[tuple[str, list[Error]]]:
    groups: dict[str, list[Error]] = defaultdict(list)
    for error in errors:
        groups[key(error)].append(error)
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def _labels(spans: Sequence[Span]) -> str:
    return " + ".join(span.label for span in spans) or NOTHING


def _quoted(error: Error) -> str:
    text = error.document.text_of
    return f"{[text(s) for s in error.gold]} → {[text(s) for s in error.found]}"


if __name__ == "__main__":
    main()
