"""Sheets of paper on which notes are typed, with the ink of every character known.

Needs the Debian packages fonts-dejavu, fonts-liberation, fonts-gnutypewriter, fonts-courier-prime,
fonts-dkg-handwriting and fonts-breip.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from nadie.document import Document

Pixels = npt.NDArray[Any]
WIDE, TALL, MARGIN = 1654, 2339, 130  # A4 at 200 dpi
_FONTS = {
    "sans": "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf",
    "serif": "/usr/share/fonts/truetype/liberation/LiberationSerif-Regular.ttf",
    "mono": "/usr/share/fonts/truetype/liberation/LiberationMono-Regular.ttf",
    "dejavu": "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
    "typewriter": "/usr/share/fonts/truetype/gnutypewriter/GNUTypewriter.ttf",
    "courier": "/usr/share/fonts/opentype/courier-prime/Courier Prime.otf",
    "hand": "/usr/share/fonts/truetype/fifthhorseman/dkg.ttf",
    "hand2": "/usr/share/fonts/truetype/breip/Breip.ttf",
}
_FONT_OF_KIND = {
    "typewriter": "typewriter",
    "dot matrix": "mono",
    "old paper": "courier",
    "fax": "sans",
    "form": "dejavu",
}


@dataclass(frozen=True)
class Letter:
    """A character of the page: its number in the map of ink is its index + 1.

    `span` is the number of its span, `at` its place in the note.
    """

    character: str
    word: int
    span: int = -1
    at: int = -1


class Sheet:
    """A clean page on which letters and graphics are drawn."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.image = np.full((TALL, WIDE, 3), 255, dtype=np.uint8)
        self.ink = np.zeros((TALL, WIDE), dtype=np.int32)
        self.letters: list[Letter] = []
        self.words: list[str] = []
        self.labels: dict[int, str] = {}
        self.graphics: list[str] = []

    def stamp_ink(self, mask: Pixels, left: int, top: int, number: int, colour: tuple[int, int, int]) -> None:
        """Draw a mask (255 is ink) in a colour, and store the number of its ink."""
        high, wide = mask.shape
        x0, y0, x1, y1 = max(0, left), max(0, top), min(WIDE, left + wide), min(TALL, top + high)
        if x1 <= x0 or y1 <= y0:
            return
        part = mask[y0 - top : y1 - top, x0 - left : x1 - left].astype(np.float32)[..., None] / 255
        area = self.image[y0:y1, x0:x1]
        area[:] = (area * (1 - part) + np.array(colour, dtype=np.float32) * part).astype(np.uint8)
        self.ink[y0:y1, x0:x1][part[..., 0] > 0.4] = number

    def graphic(self, name: str, mask: Pixels, left: int, top: int, colour: tuple[int, int, int] = (0, 0, 0)) -> None:
        self.graphics.append(name)
        self.stamp_ink(mask, left, top, -len(self.graphics), colour)


def font_of(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(_FONTS[name], size)


def letter_mask(character: str, font: ImageFont.FreeTypeFont) -> tuple[Pixels, int, int]:
    left, top, right, bottom = font.getbbox(character)
    image = Image.new("L", (max(1, round(right - left) + 2), max(1, round(bottom - top) + 2)))
    ImageDraw.Draw(image).text((1 - left, 1 - top), character, font=font, fill=255)
    return np.asarray(image), round(left) - 1, round(top) - 1


class Typist:
    """Writes a document on sheets, line by line, in one or two columns."""

    def __init__(self, document: Document, kind: str, rng: random.Random) -> None:
        self.document, self.kind, self.rng = document, kind, rng
        size = rng.choice((26, 28, 30, 32)) if kind not in ("typewriter", "dot matrix", "old paper") else 30
        default = rng.choice(("sans", "serif", "dejavu"))
        is_grid = sum("|" in line or "   " in line for line in document.text.splitlines()) > 3
        name = "mono" if is_grid and kind not in _FONT_OF_KIND else _FONT_OF_KIND.get(kind, default)
        self.font, self.pitch = font_of(name, size), round(size * 1.35)
        self.span_at = [-1] * (len(document.text) + 1)
        for number, span in enumerate(document.spans):
            for at in range(span.start, span.end):
                self.span_at[at] = number

    def sheets(self, most: int) -> list[Sheet]:
        columns = 2 if self.kind == "columns" else 1
        gap = 70
        width = (WIDE - 2 * MARGIN - gap * (columns - 1)) / columns
        lines = self._wrapped(width)
        rows = (TALL - 2 * MARGIN) // self.pitch
        done: list[Sheet] = []
        for begin in range(0, len(lines), rows * columns):
            if len(done) == most:
                break
            sheet = Sheet(self.rng)
            sheet.labels = {n: span.label for n, span in enumerate(self.document.spans)}
            some = lines[begin : begin + rows * columns]
            depth = min(rows, -(-len(some) // columns))
            for n, line in enumerate(some):
                column, row = divmod(n, depth)
                self._write(sheet, line, MARGIN + column * (width + gap), MARGIN + row * self.pitch)
            if self.kind == "form":
                self._rules(sheet, depth)
            done.append(sheet)
        return done

    def _wrapped(self, width: float) -> list[tuple[int, int]]:
        """The ranges of the text that are lines."""
        text, lines, start = self.document.text, [], 0
        for line in text.split("\n"):
            begin, end = start, start + len(line)
            while begin < end:
                stop = end
                while self.font.getlength(text[begin:stop]) > width:
                    cut = text.rfind(" ", begin + 1, stop - 1)
                    over = self.font.getlength(text[begin:stop]) > 3 * width
                    stop = begin + (stop - begin) // 2 if over else cut if cut > begin else stop - 1
                lines.append((begin, stop))
                begin = stop
                while begin < end and text[begin] == " ":
                    begin += 1
            if start == end:
                lines.append((start, start))
            start = end + 1
        return lines

    def _write(self, sheet: Sheet, line: tuple[int, int], left: float, top: float) -> None:
        text = self.document.text
        x, is_new = left, True
        for at in range(*line):
            character = text[at]
            if character.isspace():
                is_new = True
            else:
                if is_new:
                    sheet.words.append("")
                is_new = False
                sheet.words[-1] += character
                sheet.letters.append(Letter(character, len(sheet.words) - 1, self.span_at[at], at))
                self._strike(sheet, character, x, top)
            x += self.font.getlength(character) if character != "\t" else self.font.getlength("    ")

    def _strike(self, sheet: Sheet, character: str, x: float, top: float) -> None:
        mask, dx, dy = letter_mask(character, self.font)
        rng, colour = self.rng, (0, 0, 0)
        if self.kind == "typewriter":
            top += rng.choice((-1, 0, 0, 1, 2))
            colour = (rng.randint(20, 110),) * 3
        if self.kind == "dot matrix":
            grid = np.zeros_like(mask)
            grid[::3, ::3] = 255
            mask = np.minimum(mask, cv2.dilate(grid, np.ones((2, 2), np.uint8)))
            colour = (70, 70, 90)
        sheet.stamp_ink(mask, round(x) + dx, round(top) + dy, len(sheet.letters), colour)

    def _rules(self, sheet: Sheet, depth: int) -> None:
        for row in range(0, depth + 1, 2):
            y = MARGIN + row * self.pitch - 3
            cv2.line(sheet.image, (MARGIN - 15, y), (WIDE - MARGIN + 15, y), (60, 60, 60), 2)
        for x in (MARGIN - 15, WIDE - MARGIN + 15):
            cv2.line(sheet.image, (x, MARGIN - 3), (x, MARGIN + depth * self.pitch), (60, 60, 60), 2)
