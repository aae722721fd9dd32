"""Drawing a random sample with known chances, spread evenly over the kinds of notes.

Units are ordered by what the notes allow (folder, type, language, length), similar ones in random order, and every k-th
is taken from a random place on (systematic sampling, with chances proportional to a size: Madow 1949). Each kind of
note is thus in the sample in its proportion, as in a stratified sample, without strata of one or two notes; and the
chance of each unit is known exactly. The sample is then shuffled: whoever stops early has still reviewed a random part.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import NamedTuple


class Drawn(NamedTuple):
    """The number of a unit that was drawn, and the chance that it had."""

    number: int
    chance: float


def draw(kinds: Sequence[tuple[object, ...]], sizes: Sequence[float], count: int, seed: int) -> list[Drawn]:
    """Draw `count` units, or all if there are fewer, in the order of review; the same seed draws the same.

    `kinds` has what is known of each unit, by which they are ordered, and `sizes` how often each is to be drawn in
    comparison with the others.
    """
    chance = Random(seed)  # noqa: S311
    if count >= len(kinds):
        every = [Drawn(number, 1.0) for number in range(len(kinds))]
        chance.shuffle(every)
        return every
    chances = _chances(sizes, count)
    order = sorted(range(len(kinds)), key=lambda number: (*map(str, kinds[number]), chance.random()))
    sample, reached, threshold = [], 0.0, chance.random()
    for number in order:
        reached += chances[number]
        if reached > threshold:
            sample.append(Drawn(number, chances[number]))
            threshold += 1.0
    chance.shuffle(sample)
    return sample


def _chances(sizes: Sequence[float], count: int) -> list[float]:
    """Chances proportional to the sizes that add up to `count`; where that would exceed 1, a unit is always drawn."""
    certain: set[int] = set()
    while True:
        rest = sum(size for number, size in enumerate(sizes) if number not in certain)
        step = (count - len(certain)) / rest if rest else 0.0
        more = {number for number, size in enumerate(sizes) if number not in certain and size * step >= 1.0}
        if not more:
            return [1.0 if number in certain else size * step for number, size in enumerate(sizes)]
        certain |= more
