"""Pages that are images: their lines as pieces of text with a place, and the boxes to paint for edits of the text."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from PIL import Image as Pillow

from nadie.errors import FormatError
from nadie.files.container import PageBox
from nadie.files.containers.pdf.layout import add_lines
from nadie.files.mapped import MappedText, SegmentEdit, TextBuilder
from nadie.scan.covering import Stretch, cover, joined
from nadie.scan.geometry import Box, Image, cut_out, mask_of
from nadie.scan.graphics import graphics_in, share
from nadie.scan.painting import Paint, painted, without_paint
from nadie.scan.reading import Line, read_page, turned
from nadie.scan.recognition import HEIGHT, read_quickly
from nadie.spanish.squashing import Squashed, squash

MOST_PIXELS = 80_000_000
"""The maximum size of one page."""
_READABLE = 0.75  # the least score of lines that are text; others are painted
_EM = 0.72  # the height of letters as a share of the height of a line
_CELL = 1.8
_LEAST_VALUE = 5
_ROUNDS = 3
_INSIDE = 0.6
_LEAST_LETTERS = 3
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, eq=False, slots=True)
class ScanPiece:
    """Characters `first` to `first + len(text)` of a line, placed as pieces of a PDF are."""

    page: ScannedPage
    line: Line
    first: int
    text: str
    start: tuple[float, float]
    end: tuple[float, float]
    em: float
    angle: int
    is_other: bool = False


class Word(NamedTuple):
    """A word that a painted page shows or that replaces others: where it starts and ends in pixels, and its height."""

    text: str
    start: tuple[float, float]
    end: tuple[float, float]
    height: float


class Painted(NamedTuple):
    """A painted page with its boxes, and how many of them are of spans, of graphics, of lines that were not read."""

    image: Pillow.Image
    paints: Sequence[Paint]
    spans: int
    graphics: int
    unread: int


@dataclass(eq=False)
class ScannedPage:
    """A page that was read. It holds no pixels: they are brought again to be painted."""

    lines: Sequence[Line]
    turns: int
    angle: float
    graphics: Sequence[Box]
    unread: Sequence[Box]
    size: tuple[int, int]
    edits: list[tuple[ScanPiece, SegmentEdit[Any]]] = field(default_factory=list)
    own: list[Box] = field(default_factory=list)

    def review(self, boxes: Iterable[PageBox], number: int) -> None:
        """Take the boxes of a person who reviewed this page, which has that number."""
        for each in boxes:
            if each.page != number:
                continue
            box = self._upright(each)
            if each.is_kept:
                self.graphics = [other for other in self.graphics if not _has_middle(box, other)]
                self.unread = [other for other in self.unread if not _has_middle(box, other)]
            else:
                self.own.append(box)

    def as_shown(self, box: Box) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of a box in fractions of the page as it was given."""
        points = [self._as_given(x, y) for x, y in box.corners().tolist()]
        wide, tall = self.size if self.turns % 2 == 0 else self.size[::-1]
        xs, ys = [x / wide for x, _ in points], [y / tall for _, y in points]
        return min(xs), min(ys), max(xs), max(ys)

    def _upright(self, given: PageBox) -> Box:
        """A box on the page as it was given, on the upright page."""
        wide, tall = self.size
        corners = []
        for u, v in ((given.left, given.top), (given.right, given.bottom)):
            corners.append(((u, v), (v, 1 - u), (1 - u, 1 - v), (1 - v, u))[self.turns % 4])
        (a, b), (c, d) = corners
        return Box.upright(min(a, c) * wide, min(b, d) * tall, max(a, c) * wide, max(b, d) * tall)

    def add_to(self, builder: TextBuilder[Any]) -> None:
        """Add the lines in reading order, and after them the other readings of lines that were read in two ways."""
        add_lines(builder, [piece for line in self.lines for piece in self._pieces(line)])  # type: ignore[misc]
        builder.cut("\n\n")
        for line in self.lines:
            if squash(line.other.text) != squash(line.reading.text) and line.other.text:
                builder.cut("\n")
                piece = self._piece(line, 0, len(line.other.text), is_other=True)
                builder.add(piece.text, (piece,))
        builder.cut("\n\n")

    def _pieces(self, line: Line) -> Iterator[ScanPiece]:
        """The parts of a line between gaps that are wider than spaces."""
        text, edges = line.reading.text, line.reading.edges
        wide = _CELL * line.box.height * _EM / max(line.box.length, 1.0)
        first = 0
        for n, character in enumerate(text):
            if character == " " and edges[n + 1] - edges[n] > wide:
                yield from [self._piece(line, first, n)] if n > first else []
                first = n + 1
        yield self._piece(line, first, len(text))

    def _piece(self, line: Line, first: int, last: int, *, is_other: bool = False) -> ScanPiece:
        text = (line.other if is_other else line.reading).text[first:last]
        place = line.place(first, last, is_other)
        ends = [self._straight(part.x, part.y) for part in (place.part(0, 0), place.part(place.length, place.length))]
        quarters = round((line.box.angle - self.angle) / (math.pi / 2))
        return ScanPiece(self, line, first, text, ends[0], ends[1], line.box.height * _EM, -90 * quarters, is_other)

    def _straight(self, x: float, y: float) -> tuple[float, float]:
        """A point of the page without its skew, with y upwards."""
        cos, sin = math.cos(self.angle), math.sin(self.angle)
        return x * cos + y * sin, -(y * cos - x * sin)

    def paint(self, image: Pillow.Image, where: str, *, with_text: bool = False) -> Painted:
        """The page painted, in its own kind of pixels."""
        paints = self.paints(pixels_of(image), where)
        done = painted(image, paints, self.turns, with_text=with_text)
        return Painted(done, paints, len(self.edits), len(self.graphics), len(self.unread))

    def paints(self, pixels: Image, where: str) -> list[Paint]:
        """What covers the edits, graphics and unread lines of the page, which is painted and read again.

        Nothing that was replaced may be readable where it was; a line in which it is, is covered whole.
        """
        upright = turned(pixels, self.turns)
        paints = [Paint(cover(upright, line, each), each.replacement) for line, each in self._stretches()]
        covers = [Paint(box) for box in (*self.graphics, *self.unread, *self.own)]
        values = {squash(c.segment.text[c.start : c.end]) for _, c in self.edits}
        values = {value for value in values if len(value) >= _LEAST_VALUE}
        covers += [Paint(cover(upright, line, each)) for line, each in self._said_again(paints, values)]
        near = self._touched(paints, upright.shape)
        for _ in range(_ROUNDS):
            done = upright.copy()
            done[mask_of([each.box for each in (*paints, *covers)], done.shape) > 0] = 0
            left = [Paint(line.box) for line in _readable(done, near, values)]
            if not left:
                return [*paints, *covers]
            covers += left
            near = self._touched(left, upright.shape)
        raise FormatError("something that was painted over can still be read", where=where)

    def words(self, paints: Sequence[Paint]) -> Iterator[Word]:
        """The words of the painted page in its own pixels: what no paint covers, and the replacements."""
        mask = mask_of([each.box for each in paints], self.size[::-1])
        for line in self.lines:
            text = line.reading.text
            seen = "".join(" " if _is_covered(mask, line.place(n, n + 1)) else text[n] for n in range(len(text)))
            for match in _WORD.finditer(seen):
                yield self._word(match.group(), line.place(*match.span()))
        for paint in paints:
            if paint.text:
                yield self._word(paint.text, paint.box)

    def _word(self, text: str, box: Box) -> Word:
        start, end = (self._as_given(part.x, part.y) for part in (box.part(0, 0), box.part(box.length, box.length)))
        return Word(text, start, end, box.height)

    def _as_given(self, x: float, y: float) -> tuple[float, float]:
        """A point of the upright page on the page as it was given."""
        wide, tall = self.size
        return ((x, y), (tall - y, x), (wide - x, tall - y), (y, wide - x))[self.turns % 4]

    def _stretches(self) -> Iterator[tuple[Line, Stretch]]:
        """What is to be covered of each line."""
        by_line: dict[int, tuple[Line, list[Stretch]]] = {}
        for piece, c in self.edits:
            stretch = Stretch(piece.first + c.start, piece.first + c.end, piece.is_other, c.replacement)
            by_line.setdefault(id(piece.line), (piece.line, []))[1].append(stretch)
        for line, stretches in by_line.values():
            yield from ((line, each) for each in joined(line, stretches))

    def _touched(self, paints: Sequence[Paint], shape: tuple[int, ...]) -> list[Line]:
        """The lines that some paint touches."""
        mask = mask_of([each.box for each in paints], shape)
        return [line for line in self.lines if mask[_rows(line.box, shape)].any()]

    def _said_again(self, paints: Sequence[Paint], values: set[str]) -> Iterator[tuple[Line, Stretch]]:
        """Where painted lines say a replaced value once more, and it is none there, as in `Paris 0-Ip`."""
        edited: dict[int, list[tuple[int, int]]] = {}
        for piece, c in self.edits:
            if not piece.is_other:
                edited.setdefault(id(piece.line), []).append((piece.first + c.start, piece.first + c.end))
        for line in self._touched(paints, self.size[::-1]):
            said = Squashed(line.reading.text, sorted(edited.get(id(line), ())))
            yield from ((line, Stretch(*place, False, "")) for each in values for place in said.find(each, glued=True))


def _readable(image: Image, lines: Sequence[Line], values: set[str]) -> Iterator[Line]:
    """The lines in which a replaced value can still be read."""
    crops = [without_paint(cut_out(image, each.box, HEIGHT)) for each in lines]
    for line, (text, _) in zip(lines, read_quickly(crops, "tiny"), strict=True):
        seen = squash(text)
        if any(value in seen for value in values):
            yield line


def scanned(image: Pillow.Image, where: str, *, keep_graphics: bool = False) -> ScannedPage:
    """Read a page; raise an error if it is too large."""
    if image.width * image.height > MOST_PIXELS:
        raise FormatError(f"has a page of more than {MOST_PIXELS} pixels", where=where)
    return scanned_pixels(pixels_of(image), keep_graphics=keep_graphics)


def scanned_pixels(pixels: Image, *, keep_graphics: bool = False, has_graphics: bool = True) -> ScannedPage:
    """Read a page. Without `has_graphics` all of it but its lines is a picture that is to stay.

    In such a picture a single character is a shape, and what cannot be read is text only if it has some characters.
    """
    page = read_page(pixels)
    pixels = turned(pixels, page.turns)
    known = [line for line in page.lines if line.reading.score >= _READABLE]
    unread = [line.box for line in page.lines if line.reading.score < _READABLE]
    graphics: Sequence[Box] = ()
    if not has_graphics:
        known = [line for line in known if _length(line) > 1]
        unread = [line.box for line in page.lines if line.reading.score < _READABLE and _length(line) >= _LEAST_LETTERS]
    else:
        found = graphics_in(pixels, known, page.angle)
        if keep_graphics:
            unread = [box for box in unread if not any(share(box, graphic) > _INSIDE for graphic in found.boxes)]
        else:
            graphics = found.boxes
            known = [line for n, line in enumerate(known) if n not in found.lines]
    return ScannedPage(known, page.turns, page.angle, graphics, unread, (pixels.shape[1], pixels.shape[0]))


def _has_middle(box: Box, other: Box) -> bool:
    left, top, right, bottom = box.bounds()
    return left <= other.x <= right and top <= other.y <= bottom


def _is_covered(mask: Image, box: Box) -> bool:
    """Whether paint covers any of the middle of a character."""
    left, top, right, bottom = box.grown(-0.3 * box.length, -0.3 * box.height).bounds()
    part = mask[max(0, int(top)) : int(bottom) + 1, max(0, int(left)) : int(right) + 1]
    return bool(part.any())


def _length(line: Line) -> int:
    return max(len(line.reading.text), len(line.other.text))


def give_edits(text: MappedText[Any], edits: Iterable[Any]) -> None:
    """Give each page the edits of its text."""
    for change in text.split(edits):
        address = change.segment.address
        if isinstance(address, tuple) and isinstance(address[0], ScanPiece):
            address[0].page.edits.append((address[0], change))


def pixels_of(image: Pillow.Image) -> Image:
    """The image, which is opaque, in grey or in colour."""
    if image.mode.startswith("I") or image.mode == "F":
        values = np.array(image).astype(np.float64)
        low, high = np.percentile(values, (0.1, 99.9))
        return np.asarray(np.clip((values - low) * 255 / max(high - low, 1e-9), 0, 255), dtype=np.uint8)
    is_grey = image.mode in ("1", "L")
    return np.array(image.convert("L" if is_grey else "RGB"))


def _rows(box: Box, shape: tuple[int, ...]) -> tuple[slice, slice]:
    left, top, right, bottom = (max(0, round(each)) for each in box.bounds())
    return slice(top, bottom + 1), slice(left, right + 1)
