"""Speed of the neural systems in notes per second, through onnxruntime on two cores.

    python benchmarks/neural.py meddocan/dev/brat bilstm_crf e2ej

Every note is read once before the clock starts. The network runs on two threads, one note on each; tags are decoded
by numpy. The machine should be otherwise idle.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from nadie.detectors.base import DETECTORS
from nadie.detectors.neural.detector import NeuralTagger
from nadie.document import Document
from nadie.formats.reading import read_documents
from nadie.storage import find_model, read_model
from nadie.tokens.view import view_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("notes", type=Path)
    parser.add_argument("models", nargs="*", default=["bilstm_crf", "e2ej"])
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--repeats", type=int, default=3)
    given = parser.parse_args()
    notes = [Document(d.id, view_of(d.text).text) for d in read_documents(given.notes)]
    print(f"{len(notes)} notes, {given.workers} threads")
    for name in given.models:
        begun = time.perf_counter()
        folder = read_model(find_model(name))
        detector = DETECTORS.get(folder.system).load(folder)
        if not isinstance(detector, NeuralTagger):
            parser.error(f"{name} is no neural tagger")
        detector.workers = given.workers
        detector.detect(notes[:16])
        loaded = time.perf_counter() - begun
        seconds = []
        for _ in range(given.repeats):
            begun = time.perf_counter()
            detector.detect(notes)
            seconds.append(time.perf_counter() - begun)
        print(
            f"{name:<12} {len(notes) / min(seconds):6.1f} notes/s  ready in {loaded:.1f} s  {folder.size / 1e6:.1f} MB"
        )


if __name__ == "__main__":
    main()
