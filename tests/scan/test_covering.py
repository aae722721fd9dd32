"""Boxes around what is to be painted: whole letters, names with their punctuation, nothing unsearched beside them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from nadie.scan.covering import Stretch, cover, joined
from nadie.scan.geometry import Box, mask_of
from nadie.scan.graphics import graphics_in
from nadie.scan.reading import Line
from nadie.scan.recognition import Reading, _spaced


def reading(text: str, edges: tuple[float, ...] | None = None) -> Reading:
    spread = tuple(n / len(text) for n in range(len(text) + 1))
    return Reading(text, (1.0,) * len(text), edges or spread)


def drawn(text: str, size: int = 40) -> Image.Image:
    image = Image.new("L", (1000, 100), 255)
    ImageDraw.Draw(image).text((50, 25), text, fill=0, font=ImageFont.load_default(size))
    return image


@pytest.mark.parametrize(
    ("text", "stretches", "expected"),
    [
        ("GARCÍA, ANA", [(0, 6), (8, 11)], [(0, 11)]),
        ("Ana 611 204 877", [(4, 7), (8, 11), (12, 15)], [(4, 15)]),
        ("Ana vive en Lugo", [(0, 3), (12, 16)], [(0, 3), (12, 16)]),
        ("| Ana | Lugo |", [(2, 5), (8, 12)], [(2, 5), (8, 12)]),
    ],
)
def test_neighbours_are_one_box(text: str, stretches: list[tuple[int, int]], expected: list[tuple[int, int]]) -> None:
    line = Line(Box.upright(0, 0, 100, 10), reading(text))
    found = joined(line, [Stretch(start, end, False, "x") for start, end in stretches])
    assert [(each.start, each.end) for each in found] == expected


def test_two_readings_are_not_joined() -> None:
    line = Line(Box.upright(0, 0, 100, 10), reading("Ana"), reading("Anna"))
    assert len(joined(line, [Stretch(0, 3, False, ""), Stretch(0, 4, True, "")])) == 2


@pytest.mark.parametrize("cut", [0.5, 0.62, 1.0])
def test_letters_are_covered_whole(cut: float) -> None:
    """The border of the last letter of a word is in its middle, as in faded print: all its ink is covered."""
    word, font = "Rigoberto", ImageFont.load_default(40)
    image = np.array(drawn(f"{word} viene"))
    ends = [font.getlength(word[:n]) / 1000 for n in range(1, len(word) + 1)]
    last = ends[-2] + (ends[-1] - ends[-2]) * cut
    line = Line(Box.upright(50, 10, 1050, 90), reading(word + "-", (0.0, *ends[:-1], last, 1.0)))
    box = cover(image, line, Stretch(0, len(word), False, ""))
    letters = np.array(drawn(word)) < 128
    next_word = (image < 128) & ~letters
    painted = mask_of([box], image.shape) > 0
    assert painted[letters].all()
    assert not painted[next_word].any()


def test_line_that_a_graphic_covers_in_part_is_searched() -> None:
    image = Image.new("L", (1200, 500), 255)
    ImageDraw.Draw(image).rectangle((50, 140, 800, 290), fill=60)
    ImageDraw.Draw(image).text((820, 180), "Remedios Iturralde", fill=0, font=ImageFont.load_default(36))
    half, whole = Box.upright(50, 170, 1150, 230), Box.upright(100, 170, 700, 230)
    lines = [Line(box, reading("Avisar a su hermana Remedios Iturralde")) for box in (half, whole)]
    found = graphics_in(np.array(image), lines, 0.0)
    assert found.boxes
    assert found.lines == {1}


@pytest.mark.parametrize("is_possible", [True, False])
def test_a_gap_is_a_space_only_if_the_network_takes_it_for_possible(is_possible: bool) -> None:
    text = "alergias:si no"
    centres = [10.0 * n + (20 if n > 8 else 0) for n in range(len(text))]
    ink = np.ones(200, dtype=np.float32)
    for before, after in pairwise(centres):
        ink[round(before) + 4 : round(after) - 3] = 0
    found, *_ = _spaced(text, [1.0] * len(text), centres, ink, [is_possible] * (len(text) - 1))
    assert found == ("alergias: si no" if is_possible else text)
