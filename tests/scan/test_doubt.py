"""Lines that are read again: only where they are in doubt, and in place."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from nadie.scan.doubt import _doubtful, _joined, read_again
from nadie.scan.painting import without_paint
from nadie.scan.recognition import HEIGHT, Reading, read

LINE = "Ingresa Remedios Iturralde con fiebre alta desde hace tres dias"


def reading(text: str, doubtful: str = "", score: float = 0.5) -> Reading:
    scores = [1.0] * len(text)
    start = text.index(doubtful)
    scores[start : start + len(doubtful)] = [score] * len(doubtful)
    return Reading(text, tuple(scores), tuple(n / len(text) for n in range(len(text) + 1)))


def drawn(text: str) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    font = ImageFont.load_default(30)
    image = Image.new("L", (round(font.getlength(text)) + 10, HEIGHT), 255)
    ImageDraw.Draw(image).text((5, 3), text, fill=0, font=font)
    return np.array(image)


@pytest.mark.parametrize(
    ("doubtful", "expected"),
    [
        ("Iturralde", ["Remedios Iturralde con"]),
        ("Ingresa", ["Ingresa Remedios"]),
        ("dias", ["tres dias"]),
        ("", [LINE]),
        (LINE, [LINE]),
    ],
)
def test_words_in_doubt_are_read_with_their_neighbours(doubtful: str, expected: list[str]) -> None:
    assert [LINE[start:end] for start, end in _doubtful(reading(LINE, doubtful))] == expected


def test_words_far_apart_are_two_parts() -> None:
    first, second = reading(LINE, "Ingresa"), reading(LINE, "dias")
    scores = tuple(map(min, first.scores, second.scores))
    found = [LINE[a:b] for a, b in _doubtful(Reading(LINE, scores, first.edges))]
    assert found == ["Ingresa Remedios", "tres dias"]


def test_parts_take_the_place_of_what_was_read() -> None:
    whole = reading("abcd efgh ijkl")
    done = _joined(whole, [((5, 9), Reading("XY", (0.9, 0.8), (0.0, 0.5, 1.0)))])
    assert done.text == "abcd XY ijkl"
    assert done.scores == (*[1.0] * 5, 0.9, 0.8, *[1.0] * 5)
    assert done.edges == pytest.approx([*(n / 14 for n in (0, 1, 2, 3, 4, 5, 7)), *(n / 14 for n in range(9, 15))])


def test_misread_word_is_mended_where_it_stands() -> None:
    crop = drawn(LINE)
    [right] = read([crop], "tiny")
    start = right.text.index("Iturralde")
    scores = tuple(0.5 if start <= n < start + 9 else 1.0 for n in range(len(right.text)))
    wrong = Reading(right.text.replace("Iturralde", "Iturra1de"), scores, right.edges)
    [again] = read_again([(crop, wrong)])
    assert again.text == LINE
    assert again.edges[start] == pytest.approx(right.edges[start], abs=0.01)
    assert again.edges[-1] == 1.0


def test_paint_is_narrowed_and_the_rest_is_read() -> None:
    crop = drawn(LINE)
    [found] = read([crop], "tiny")
    start, end = (round(found.edges[LINE.index(word)] * crop.shape[1]) for word in ("Remedios", "tres"))
    crop[:, start:end] = 0
    narrow = without_paint(crop)
    assert narrow.shape[1] == pytest.approx(crop.shape[1] - (end - start) + 24, abs=4)
    [left] = read([narrow], "tiny")
    assert "Ingresa" in left.text
    assert left.text.endswith("tres dias")
    assert (without_paint(drawn(LINE)) == drawn(LINE)).all(), "nothing of a line without paint is cut"
