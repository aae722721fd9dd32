"""The variants of the exhaustive model: training in parallel, and scores as in the paper's tables.

    python benchmarks/exhaustive.py train --train TRAIN --dev DEV --work WORK --variants br-avg-none,lm-avg-none \
        --set vectors=VECTORS
    python benchmarks/exhaustive.py runs MODEL NOTES

`train` trains variants in the folder WORK, which several processes may share if they train different variants and the
vectors are given; finished variants are not trained again. With `--out` it then writes the model folder.
`runs` annotates the notes once with every variant of an ensemble and prints a row for each variant and each
submitted run, then the types that the paper missed completely.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from nadie.detector import TrainingRun
from nadie.document import Document
from nadie.evaluation.evaluate import Evaluation, evaluate
from nadie.files.annotated.reading import read_documents
from nadie.neural.encoding import encode
from nadie.papers.exhaustive import RUNS, Exhaustive
from nadie.papers.exhaustive.decoding import flat, vote
from nadie.storage import find_model, read_model
from nadie.tokens.view import seen

RARE = ("PROFESION", "OTROS_SUJETO_ASISTENCIA", "CENTRO_SALUD", "ID_EMPLEO_PERSONAL_SANITARIO", "NUMERO_FAX")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    training = commands.add_parser("train")
    training.add_argument("--train", type=Path, action="append", required=True)
    training.add_argument("--dev", type=Path)
    training.add_argument("--work", type=Path, required=True)
    training.add_argument("--out", type=Path)
    training.add_argument("--variants", required=True)
    training.add_argument("--seed", type=int, default=1)
    training.add_argument("--set", dest="settings", action="append", default=[])
    training.set_defaults(run=train)
    measuring = commands.add_parser("runs")
    measuring.add_argument("model")
    measuring.add_argument("notes", type=Path)
    measuring.set_defaults(run=runs)
    arguments = parser.parse_args()
    arguments.run(arguments)


class Lines:
    """Progress as lines on the standard error."""

    def start(self, task: str, total: int) -> None:
        self.begun = time.monotonic()
        print(f"{task}: {total} epochs", file=sys.stderr, flush=True)

    def advance(self, done: int, **figures: float) -> None:
        line = "  ".join(f"{name} {value:.4f}" for name, value in figures.items())
        print(f"{time.monotonic() - self.begun:7.0f} s  {line}", file=sys.stderr, flush=True)


def train(arguments: argparse.Namespace) -> None:
    notes = [seen(document) for path in arguments.train for document in read_documents(path)]
    dev = [seen(document) for document in read_documents(arguments.dev)] if arguments.dev else []
    settings = dict(pair.split("=", 1) for pair in arguments.settings) | {"variants": arguments.variants}
    work: Path = arguments.work
    model = Exhaustive.train(TrainingRun(notes, dev, arguments.seed, work, Lines()), settings)
    if arguments.out:
        model.save(arguments.out, {"trained_on": f"{len(notes)} notes", "seed": arguments.seed})


def runs(arguments: argparse.Namespace) -> None:
    model = Exhaustive.load(read_model(find_model(arguments.model)))
    gold = [seen(document) for document in read_documents(arguments.notes)]
    rows = {name: (name,) for name in model.variants} | RUNS
    found = annotated(model, gold, {name: v for name, v in rows.items() if set(v) <= set(model.variants)})
    print(f"{'':<18}{'P':>8}{'R':>8}{'F':>8}{'leak':>8}{'strict':>9}{'merged':>9}")
    scores = {name: evaluate(gold, documents) for name, documents in found.items()}
    for name, result in scores.items():
        print(f"{name:<18}{row(result)}")
    for name, result in scores.items():
        line = ", ".join(f"{label} {100 * result.labels[label].f1:.1f}" for label in RARE if label in result.labels)
        print(f"{name}: {line}")


def row(result: Evaluation) -> str:
    first = result.subtask1
    figures = [first.precision, first.recall, first.f1]
    leak = f"{result.leak:>8.4f}"
    rest = [result.strict.f1, result.merged.f1]
    return "".join(f"{100 * f:>8.2f}" for f in figures) + leak + "".join(f"{100 * f:>9.2f}" for f in rest)


def annotated(
    model: Exhaustive, gold: Sequence[Document], wanted: dict[str, tuple[str, ...]]
) -> dict[str, list[Document]]:
    """The notes annotated by each set of variants; every network reads every note once."""
    found: dict[str, list[Document]] = {name: [] for name in wanted}
    for document in gold:
        encoded = encode(document.text)
        stretches = zip(*model.reader.scores(encoded), strict=True)
        scores = dict(zip(model.variants, map(np.concatenate, stretches), strict=True))
        for name, variants in wanted.items():
            chosen = flat(vote([scores[variant] for variant in variants]))
            found[name].append(document.with_spans(model.reader.as_spans(encoded, chosen, model.name)))
    return found


if __name__ == "__main__":
    main()
