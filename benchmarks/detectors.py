"""Speed and memory of the shipped models, compared with a peer in the same run.

The peer is CRFsuite's own tagger, with the features of every token as strings, which is the usual way to run a CRF from
Python: it has ReCRF's features and no cache. One process, which is restricted to one core, so that models are compared
on the same resources; `--cores` gives it more.

    python benchmarks/detectors.py NOTES [--models recrf,fast] [--limit 250] [--cores 1]

NOTES is a folder of plain notes, such as the texts of a MEDDOCAN part.
"""

from __future__ import annotations

import argparse
import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pycrfsuite

from nadie.document import Document
from nadie.files.annotated.reading import read_documents
from nadie.papers.recrf.context_features import context_features
from nadie.papers.recrf.fitting import all_features
from nadie.papers.recrf.sequence import TokenSequence
from nadie.papers.recrf.word_features import window_features
from nadie.run.documents import load
from nadie.run.pipeline import Pipeline
from nadie.spanish.lexicon import Lexicon
from nadie.storage import shipped_models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("--models", default=",".join(shipped_models()))
    parser.add_argument("--limit", type=int, default=250)
    parser.add_argument("--cores", type=int, default=1)
    arguments = parser.parse_args()
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[: arguments.cores])
    notes = [Document(d.id, d.text) for d in read_documents(arguments.notes, "text")][: arguments.limit]
    size = sum(len(note.text) for note in notes)
    print(f"{len(notes)} notes, {size / len(notes):.0f} characters on average, load average {os.getloadavg()[0]:.1f}\n")
    peer = rate(crfsuite_peer(notes[:20]), notes[:60])
    print(f"{'system':<14}{'load s':>8}{'notes/s':>10}{'× peer':>9}{'peak MB':>10}")
    print(f"{'peer (CRFsuite)':<14}{'':>7}{peer:>10.1f}{1:>9.1f}")
    for name in arguments.models.split(","):
        started = time.perf_counter()
        model = load(name)
        loading = time.perf_counter() - started
        list(model.annotate_all(notes[:20]))
        speed = rate(annotating(model), notes)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"{name:<14}{loading:>8.2f}{speed:>10.1f}{speed / peer:>9.1f}{peak:>10.0f}")


def rate(work: Callable[[Sequence[Document]], object], notes: Sequence[Document]) -> float:
    """Notes per second, the best of three rounds."""
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        work(notes)
        best = min(best, time.perf_counter() - started)
    return len(notes) / best


def annotating(model: Pipeline) -> Callable[[Sequence[Document]], object]:
    return lambda notes: list(model.annotate_all(notes))


def crfsuite_peer(sample: Sequence[Document]) -> Callable[[Sequence[Document]], object]:
    """CRFsuite's tagger on features as strings. Only the time matters here, not the output."""
    lexicon = Lexicon.shared()

    def features(document: Document) -> list[list[str]]:
        note = TokenSequence.of(document.text)
        return all_features(note, context_features(note, lexicon, []), partial(window_features, lexicon=lexicon))

    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params({"max_iterations": 3})
    for document in sample:
        rows = features(document)
        trainer.append(rows, [f"T{i % 45}" for i in range(len(rows))])
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/peer.crfsuite")
        tagger.open(f"{folder}/peer.crfsuite")
    return lambda notes: [tagger.tag(features(note)) for note in notes]


if __name__ == "__main__":
    main()
