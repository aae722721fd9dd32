"""Corpus notes rendered as scans look, with the ink of every character known.

A page is drawn clean, with the number of the character stored for each pixel of its ink; then paper, copier, fax or
camera change the image, and the same geometry is applied to the numbers.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
from scan_graphics import GRAPHICS
from scan_paper import KINDS
from scan_sheets import Letter, Pixels, Typist

from nadie.document import Document


@dataclass
class Page:
    """A rendered page. `ink` has the number of the letter or, negative, of the graphic for each pixel of ink."""

    name: str
    image: Pixels
    ink: npt.NDArray[np.int32]
    letters: list[Letter]
    words: list[str]
    labels: dict[int, str]
    graphics: list[str] = field(default_factory=list)
    note: str = ""


def render(document: Document, kind: str, seed: int, most_pages: int = 2) -> list[Page]:
    """The pages of a note as a scan of that kind, most of them with a graphic."""
    rng = random.Random(seed)
    pages = []
    for number, sheet in enumerate(Typist(document, kind, rng).sheets(most_pages)):
        if number == 0 and kind != "dot matrix":
            GRAPHICS[seed % len(GRAPHICS)](sheet)
        image = KINDS[kind](sheet, seed * 10 + number)
        pages.append(
            Page(
                f"{document.id} {kind} {number + 1}",
                image,
                sheet.ink,
                sheet.letters,
                sheet.words,
                sheet.labels,
                sheet.graphics,
                document.text,
            )
        )
    return pages
