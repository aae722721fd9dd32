"""Whether an attacker with nadie finds what nadie missed.

The figures of docs/en/understand/surrogates.md about the parrot attack.

    python benchmarks/parrot.py NOTES [NOTES ...] [--format notes] [--model fast]

Notes are anonymized with the policy `research` as a user would do it: what the model misses stays. Then two attackers
run the same model on the output. The first is a program: it flags what looks like a name and is not found (see
`nadie.risk.parrot`). The second is a reader who knows which words of the output are names, and flags those that the
model does not find or finds with the lowest scores. The share of leaks detected and the precision are those of all that
the model does not find; the lift is that of the most suspicious tenth: the share of the leaks in it, over a tenth, with
its exact 95 % interval (Clopper and Pearson). With few names left the interval is wide, and the numbers say more.

This is done for one look, for two (the default), in recall mode, and with `--strict`. `of all misses` relates what an
attacker finds in the tenth to the misses of one look. What this costs stands beside it: the share of what is masked
that is PHI, and the spans of names a note that touch no PHI.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from nadie import load
from nadie.anonymize.engine import Anonymized, Engine
from nadie.anonymize.policy import read_policy
from nadie.anonymize.secret import Key
from nadie.document import Document, Span
from nadie.evaluation.leaks import CharacterCounts, visible
from nadie.files.annotated.reading import read_documents
from nadie.labels import NAMES
from nadie.options import DetectionArguments, Mode
from nadie.risk.bounds import exact
from nadie.risk.leaks import Leak, leaks
from nadie.risk.parrot import mentions

TENTH = 0.10
RUNS: dict[str, DetectionArguments] = {
    "one look": {"second": "none"},
    "two looks (default)": {},
    "recall mode": {"mode": Mode.RECALL},
    "strict": {"strict": True},
}


class Attacked(NamedTuple):
    """The candidates of both attackers, the number of names left, and what the run cost."""

    program: list[Candidate]
    reader: list[Candidate]
    left: int
    cost: Cost


class Cost(NamedTuple):
    """The seconds of CPU a note, the characters masked, and the spans of names a note that touch no PHI."""

    seconds: float
    characters: CharacterCounts
    no_names: float

    def __str__(self) -> str:
        covered, precision = self.characters.recall, self.characters.precision
        return (
            f"{covered:.1%} covered, {precision:.1%} of what is masked PHI, {self.no_names:.2f} spans of names a note "
            f"that are none, {1000 * self.seconds:.1f} ms of CPU a note"
        )


class Candidate(NamedTuple):
    """What an attacker may flag: how suspicious it is, and the leaks that it shows."""

    suspicion: float
    shows: frozenset[int]


def by_program(
    text: str, found: Sequence[Span], possible: Sequence[Span], left: Sequence[Leak], first: int
) -> list[Candidate]:
    return [
        Candidate(mention.suspicion, _shown(range(mention.start, mention.end), left, first))
        for mention in mentions(text, found, possible)
    ]


def by_reader(
    done: Anonymized, gold: Sequence[Span], found: Sequence[Span], left: Sequence[Leak], first: int
) -> list[Candidate]:
    scores = np.zeros(len(done.text) + 1)
    for span in found:
        scores[span.start : span.end] = span.score
    candidates = [
        Candidate(1.0 - float(scores[sorted(leak.places)].min()), frozenset([first + number]))
        for number, leak in enumerate(left)
    ]
    for item in done.replaced:
        is_name = any(item.span.overlaps(span) for span in gold)
        places = [at for at in range(item.start, item.end) if done.text[at].isalpha()]
        if is_name and places and not item.kept and item.operator != "label":
            candidates.append(Candidate(1.0 - float(scores[places].min()), frozenset()))
    return candidates


def _shown(places: range, left: Sequence[Leak], first: int) -> frozenset[int]:
    return frozenset(first + number for number, leak in enumerate(left) if not leak.places.isdisjoint(places))


def summary(candidates: Sequence[Candidate], total: int, misses: int) -> str:
    draw = np.random.default_rng(27)
    unseen = [each for each in candidates if each.suspicion >= 1.0]
    detected = len(frozenset().union(*(each.shows for each in unseen)))
    precision = np.mean([bool(each.shows) for each in unseen]) if unseen else 0.0
    ranked = sorted(candidates, key=lambda each: (-each.suspicion, draw.random()))[: int(len(candidates) * TENTH)]
    in_tenth = len(frozenset().union(*(each.shows for each in ranked)))
    share = exact(in_tenth, total)
    return (
        f"{len(unseen)} of {len(candidates)} flagged, {detected} of {total} leaks = {detected / max(1, total):.0%} "
        f"at {precision:.0%}; lift {share.estimate / TENTH:.1f} ({share.low / TENTH:.1f} to {share.high / TENTH:.1f}), "
        f"{in_tenth} in the tenth, of all misses {in_tenth / max(1, misses) / TENTH:.1f}"
    )


def attacked(notes: Sequence[Document], model: str, options: DetectionArguments) -> Attacked:
    engine = Engine(read_policy("research"), Key(bytes(range(32))))
    pipeline = replace(load(model, policy="research", **options), engine=engine)
    began = time.process_time()
    done = list(pipeline.anonymize_all([note.with_spans(()) for note in notes]))
    took = (time.process_time() - began) / len(notes)
    outputs = [Document(str(number), each.text) for number, each in enumerate(done)]
    found = [each.spans for each in load(model).annotate_all(outputs)]
    possible = [each.spans for each in load(model, mode=Mode.RECALL).annotate_all(outputs)]
    program: list[Candidate] = []
    reader: list[Candidate] = []
    total = 0
    for note, each, seen, more in zip(notes, done, found, possible, strict=True):
        gold = [span for span in note.spans if span.label in NAMES]
        left = leaks(each, gold)
        program += by_program(each.text, seen, more, left, total)
        reader += by_reader(each, gold, seen, left, total)
        total += len(left)
    return Attacked(program, reader, total, cost_of(notes, done, took))


def cost_of(notes: Sequence[Document], done: Sequence[Anonymized], seconds: float) -> Cost:
    characters, no_names = CharacterCounts(), 0
    for note, each in zip(notes, done, strict=True):
        masked = [item.span for item in each.replaced]
        gold, system = visible(note.text, note.spans), visible(note.text, masked)
        characters += CharacterCounts(len(gold), len(system), len(gold & system))
        no_names += sum(span.label in NAMES and not any(span.overlaps(true) for true in note.spans) for span in masked)
    return Cost(seconds, characters, no_names / len(notes))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path, nargs="+")
    parser.add_argument("--format", default="notes")
    parser.add_argument("--model", default="fast")
    options = parser.parse_args()
    notes = [note for folder in options.notes for note in read_documents(folder, options.format)]
    print(f"{len(notes)} notes, {sum(span.label in NAMES for note in notes for span in note.spans)} names")
    misses = 0
    for title, detection in RUNS.items():
        program, reader, total, cost = attacked(notes, options.model, detection)
        misses = misses or total
        print(f"{title}: {total} names left, {cost}", flush=True)
        print(f"  program: {summary(program, total, misses)}")
        print(f"  reader:  {summary(reader, total, misses)}", flush=True)


if __name__ == "__main__":
    main()
