"""How often the bounds of a sample hold: simulated samples of annotated notes with a known share of leaks.

The notes are those of the package, and of a corpus if one is given, each taken several times, so that the number of
identifiers of a note and of a patient is real. In each of 1,000 repetitions identifiers are missed at random, more of
them in some notes than in others and most in those of which the model is unsure; a sample is drawn by each design, and
the true share is compared with its bounds.

    python benchmarks/bounds.py [--corpus meddocan/dev/brat] [--repetitions 1000] [--size 200]
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import numpy.typing as npt

from nadie.evaluation.suite.runner import load_notes
from nadie.files.annotated.reading import read_documents
from nadie.risk.bounds import weighted
from nadie.risk.drawing import draw

RATES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)
DESIGNS = ("simple", "stratified", "weighted")
_POPULATION = 6000
_UNSURE = 0.15
_MORE = 3.0

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def population(counts: Ints, rng: np.random.Generator) -> tuple[Ints, Floats, npt.NDArray[np.bool_]]:
    """Numbers of identifiers, how prone each note is to leaks, and whether the model is unsure of it."""
    sizes = rng.choice(counts, _POPULATION)
    unsure = rng.random(_POPULATION) < _UNSURE
    prone = rng.gamma(0.7, 1.0, _POPULATION) * np.where(unsure, 4.0, 1.0)
    return sizes, prone, unsure


def missed(sizes: Ints, prone: Floats, rate: float, rng: np.random.Generator) -> Ints:
    """The number of missed identifiers of each note, such that about `rate` of the notes have one."""
    low, high = 0.0, 1.0
    for _ in range(40):
        scale = (low + high) / 2
        leaking = float((1 - (1 - np.minimum(scale * prone, 0.9)) ** sizes).mean())
        low, high = (low, scale) if leaking > rate else (scale, high)
    found: Ints = rng.binomial(sizes, np.minimum(high * prone, 0.9))
    return found


def drawn(design: str, size: int, keys: Ints, unsure: npt.NDArray[np.bool_], seed: int) -> tuple[Ints, Floats]:
    """The numbers of the notes in a sample, and their weights."""
    order = keys if design != "simple" else np.zeros_like(keys)
    measure = np.where(unsure, _MORE, 1.0) if design == "weighted" else np.ones(len(keys))
    chosen = draw([(int(key),) for key in order], measure.tolist(), size, seed)
    return np.array([each.number for each in chosen]), np.array([1 / each.chance for each in chosen])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--size", type=int, default=200)
    given = parser.parse_args()
    notes = [*load_notes(), *(read_documents(given.corpus) if given.corpus else ())]
    counts = np.array([max(1, len(note.spans)) for note in notes])
    print(f"{len(notes)} notes, {given.repetitions} repetitions, samples of {given.size}")
    print(
        f"{'design':12}{'leaks':>8}{'notes: at most':>16}{'interval':>10}{'identifiers: at most':>22}{'interval':>10}"
    )
    for design in DESIGNS:
        for rate in RATES:
            rng = np.random.default_rng(int(rate * 10_000))
            sizes, prone, unsure = population(counts, rng)
            keys = np.digitize(sizes, np.quantile(sizes, [0.25, 0.5, 0.75])) * 2 + unsure
            held = np.zeros(4)
            for turn in range(given.repetitions):
                leaks = missed(sizes, prone, rate, rng)
                numbers, weights = drawn(design, given.size, keys, unsure, turn)
                some, all_of_them = leaks[numbers], sizes[numbers]
                notes_share = weighted((some > 0).astype(float), np.ones(len(some)), weights)
                share = weighted(some.astype(float), all_of_them.astype(float), weights)
                truths = (float((leaks > 0).mean()), float(leaks.sum() / sizes.sum()))
                for place, (truth, bound) in enumerate(zip(truths, (notes_share, share), strict=True)):
                    held[2 * place] += truth <= bound.at_most
                    held[2 * place + 1] += bound.low <= truth <= bound.high
            shares = held / given.repetitions
            cells = f"{shares[0]:>16.3f}{shares[1]:>10.3f}{shares[2]:>22.3f}{shares[3]:>10.3f}"
            print(f"{design:12}{rate:>8.1%}{cells}", flush=True)


if __name__ == "__main__":
    main()
