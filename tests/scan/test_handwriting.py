"""Lines written by hand, told from printed ones."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from nadie.scan.geometry import Box
from nadie.scan.handwriting import handwritten
from nadie.scan.reading import Line
from nadie.scan.recognition import Reading

PRINTED = (30,) * 20
OF_MANY_HEIGHTS = (22, 26, 30, 34, 38) * 4


@pytest.mark.parametrize(("scale", "found"), [(1.0, set()), (1.6, {5})])
def test_letters_of_many_heights_on_one_line_are_printed_unless_they_are_tall(scale: float, found: set[int]) -> None:
    image = Image.new("L", (1400, 700), 255)
    lines = []
    for n, sizes in enumerate([PRINTED] * 5 + [tuple(scale * size for size in OF_MANY_HEIGHTS)]):
        score = 0.9 if n == 5 else 1.0
        for place, size in enumerate(sizes):
            font = ImageFont.load_default(size)
            ImageDraw.Draw(image).text((50 + 55 * place, 80 + 100 * n), "n", fill=0, font=font, anchor="ls")
        high = 45 * (scale if n == 5 else 1.0)
        reading = Reading("n" * 20, (score,) * 20, tuple(i / 20 for i in range(21)))
        lines.append(Line(Box.upright(40, 80 + 100 * n - 0.8 * high, 1200, 80 + 100 * n + 0.2 * high), reading))
    assert handwritten(np.array(image), lines) == found
