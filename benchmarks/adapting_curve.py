"""How much a model gains by adapting to 10, 25, 50, ... reviewed notes of one kind, and what it forgets elsewhere.

The own notes are those of one country among the notes of the package, or a folder of annotated notes. Some are adapted
to, the rest is measured; the notes of the other countries show what is forgotten. Lists alone and the layer are
compared with the base; the model's least sure notes are compared with random ones.

    python benchmarks/adapting_curve.py --country ES [--own FOLDER] [--base fast] [--sizes 10,25,50]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from nadie.augment import synthetic_notes
from nadie.detector import Detector, Model
from nadie.detectors.adapted.fitting import fit_adapted
from nadie.document import Document
from nadie.evaluation.evaluate import evaluate
from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.reading import read_documents
from nadie.options import Mode
from nadie.risk.misses import only_in_recall_mode
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline


def figures(detector: Detector, notes: Sequence[Document]) -> str:
    found = Pipeline(detector).annotate_all(note.with_spans(()) for note in notes)
    result = evaluate(notes, list(found))
    return f"{result.characters.recall:>10.4f}{result.characters.precision:>11.4f}{result.subtask1.f1:>9.4f}"


def least_sure_first(notes: Sequence[Document], base: str) -> list[Document]:
    texts = [note.with_spans(()) for note in notes]
    found, more = load(base), load(base, mode=Mode.RECALL)
    doubts = [
        len(only_in_recall_mode(one.spans, other.spans))
        for one, other in zip(found.annotate_all(texts), more.annotate_all(texts), strict=True)
    ]
    return [notes[n] for n in sorted(range(len(notes)), key=lambda n: -doubts[n])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--country", default="ES")
    parser.add_argument("--own", type=Path)
    parser.add_argument("--base", default="fast")
    parser.add_argument("--sizes", default="10,25,50")
    given = parser.parse_args()
    notes = load_notes()
    own = list(read_documents(given.own)) if given.own else [n for n in notes if n.meta["country"] == given.country]
    elsewhere = [note for note in notes if given.own or note.meta["country"] != given.country]
    Random(1).shuffle(own)
    sizes = [int(size) for size in given.sizes.split(",") if int(size) < len(own) - 10]
    held_out, pool = own[max(sizes) :], own[: max(sizes)]
    base, replay = Model.of(given.base), list(synthetic_notes(120, 1))
    print(f"{len(own)} own notes, {len(held_out)} of them held out, {len(elsewhere)} notes elsewhere")
    heads = ("recall", "precision", "F1") * 2
    print(f"{'':21}{'own, held out':>30}{'elsewhere':>30}")
    print(
        f"{'notes':>6} {'method':14}"
        + "".join(f"{name:>{width}}" for name, width in zip(heads, (10, 11, 9) * 2, strict=True))
    )
    plain = base.detector()
    print(f"{0:>6} {'base':14}{figures(plain, held_out)}{figures(plain, elsewhere)}", flush=True)
    orders = {"": pool, ", unsure": least_sure_first(pool, given.base)}
    for size in sizes:
        for order, some in orders.items():
            for name, lists_only in (("lists", True), ("layer", False)):
                if size == len(pool) and order:
                    continue
                began = time.process_time()
                model = fit_adapted(base, some[:size], replay, lists_only=lists_only)
                seconds = time.process_time() - began
                row = f"{figures(model, held_out)}{figures(model, elsewhere)}"
                print(f"{size:>6} {name + order:14}{row}{seconds:>7.1f} s", flush=True)


if __name__ == "__main__":
    main()
