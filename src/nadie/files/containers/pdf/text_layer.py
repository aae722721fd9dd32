"""The invisible text of a painted page: the words that can still be seen, and the replacements of the others."""

from __future__ import annotations

import math
from collections.abc import Iterable

from nadie.files.containers.image.pages import Word
from nadie.files.containers.pdf.geometry import Matrix

FONT = "/Layer"
_ENCODING = "cp1252"
_EM = 0.72  # the height of letters as a share of the height of a line
_USUAL_WIDTH = 0.5  # of letters in Helvetica, as a share of their height
_INVISIBLE = 3


def layer(words: Iterable[Word], size: tuple[int, int], place: Matrix) -> bytes:
    """The operators that write the words, which are in pixels of an image of that size, which the matrix places."""
    parts = [f"BT {_INVISIBLE} Tr"]
    for text, start, end, height in words:
        shown = text.encode(_ENCODING, "replace").hex()
        x, y = _moved(start, size, place)
        end_x, end_y = _moved(end, size, place)
        length = math.hypot(end_x - x, end_y - y)
        em = max(1.0, _EM * height * math.hypot(place[0], place[1]) / max(size[0], 1))
        if length <= 0:
            continue
        cos, sin = (end_x - x) / length, (end_y - y) / length
        wide = 100 * length / (_USUAL_WIDTH * em * max(1, len(text)))
        x, y = x + sin * em / 2, y - cos * em / 2  # from the middle of the line to its base
        matrix = f"{cos:.5f} {sin:.5f} {-sin:.5f} {cos:.5f} {x:.3f} {y:.3f}"
        parts.append(f"{FONT} {em:.2f} Tf {wide:.1f} Tz {matrix} Tm <{shown}> Tj")
    return " ".join((*parts, "ET")).encode()


def _moved(point: tuple[float, float], size: tuple[int, int], place: Matrix) -> tuple[float, float]:
    u, v = point[0] / size[0], 1 - point[1] / size[1]
    a, b, c, d, e, f = place
    return a * u + c * v + e, b * u + d * v + f
