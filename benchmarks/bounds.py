"""How often the bounds of a sample hold: simulated samples of annotated notes with a known share of leaks.

The notes are those of the package, and of a corpus if one is given, each taken several times, so that the number of
identifiers of a note and of a patient is real. In each of 1,000 repetitions identifiers are missed at random, a sample
is drawn by each design, and the true shares are compared with their bounds. Identifiers are missed in three ways: each
on its own (more in some notes than in others, most in those of which the model is unsure), all of a note, or mostly
one of a note and in every eleventh leaking note all.

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
WAYS = ("each", "whole", "mixed")
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


def scale_of(sizes: Ints, prone: Floats, rate: float) -> float:
    """How likely identifiers are missed, such that about `rate` of the notes have one that is."""
    low, high = 0.0, 1.0
    for _ in range(40):
        scale = (low + high) / 2
        leaking = float((1 - (1 - np.minimum(scale * prone, 0.9)) ** sizes).mean())
        low, high = (low, scale) if leaking > rate else (scale, high)
    return high


def missed(way: str, sizes: Ints, chances: Floats, rng: np.random.Generator) -> Ints:
    """The number of missed identifiers of each note, given the chance of each of them."""
    found: Ints = rng.binomial(sizes, chances)
    if way == "each":
        return found
    is_whole = rng.random(len(sizes)) < (1.0 if way == "whole" else 1 / 11)
    return np.where(found > 0, np.where(is_whole, sizes, 1), 0)


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
    heads = ("notes: at most", 16), ("interval", 10), ("identifiers", 13), ("interval", 10)
    print(f"{'design':12}{'missed':8}{'leaks':>7}" + "".join(f"{head:>{width}}" for head, width in heads))
    rng = np.random.default_rng(1)
    sizes, prone, unsure = population(counts, rng)
    keys = np.digitize(sizes, np.quantile(sizes, [0.25, 0.5, 0.75])) * 2 + unsure
    chances = {rate: np.minimum(scale_of(sizes, prone, rate) * prone, 0.9) for rate in RATES}
    for design in DESIGNS:
        held = {(way, rate): np.zeros(4) for way in WAYS for rate in RATES}
        for turn in range(given.repetitions):
            sample = drawn(design, given.size, keys, unsure, turn)
            for (way, rate), total in held.items():
                total += holds(missed(way, sizes, chances[rate], rng), sizes, *sample)
        for (way, rate), total in held.items():
            shares = total / given.repetitions
            cells = "".join(f"{share:>{width}.3f}" for share, (_, width) in zip(shares, heads, strict=True))
            print(f"{design:12}{way:8}{rate:>7.1%}{cells}", flush=True)


def holds(leaks: Ints, sizes: Ints, numbers: Ints, weights: Floats) -> list[bool]:
    """Whether the bound and the interval of the notes, and those of the identifiers, include what is true."""
    some, counted = leaks[numbers].astype(float), sizes[numbers].astype(float)
    notes = weighted(some > 0, np.ones(len(some)), weights)
    share, all_notes, all_of_them = weighted(some, counted, weights), (leaks > 0).mean(), leaks.sum() / sizes.sum()
    pairs = ((all_notes, notes), (all_of_them, share))
    return [is_true for true, of in pairs for is_true in (bool(true <= of.at_most), bool(of.low <= true <= of.high))]


if __name__ == "__main__":
    main()
