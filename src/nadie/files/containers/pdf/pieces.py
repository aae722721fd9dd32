"""The text shown on a page: pieces with their positions and bytes, and the targets that contain them."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from nadie.files.containers.pdf.fonts import UNKNOWN, Font, Glyph
from nadie.files.containers.pdf.shapes import Shape

ALT_TEXT = ("/ActualText", "/Alt", "/E")
"""The replacement text (ActualText) of marked content or of a structure element."""


@dataclass(eq=False, slots=True)
class Target:
    """A page or a stream with operators, and its own resources, to which a font can be added."""

    content: Any
    resources: Any = None


@dataclass(frozen=True, slots=True)
class TextState:
    """The state in which text is shown: `name` is that of the font in the resources."""

    font: Font | None = None
    name: str = ""
    size: float = 0.0
    spacing: float = 0.0
    word_spacing: float = 0.0
    stretch: float = 1.0
    leading: float = 0.0
    rise: float = 0.0
    mode: int = 0

    def advance(self, width: float, glyphs: int, spaces: int) -> float:
        """The distance that glyphs with this total width advance, before horizontal scaling."""
        return width * self.size + self.spacing * glyphs + self.word_spacing * spaces


@dataclass(eq=False, slots=True)
class PdfPiece:
    """One shown string: string `index` of the operator `at`, from one point of the page to another.

    `em` is the height of the letters and `angle` the direction of the line, in degrees.
    """

    target: Target
    at: int
    index: int
    raw: bytes
    state: TextState
    marks: tuple[tuple[Target, int], ...]
    text: str
    start: tuple[float, float]
    end: tuple[float, float]
    em: float
    angle: int
    _measured: tuple[list[Glyph], list[float], list[int]] | None = None

    def measure(self) -> tuple[list[Glyph], list[float], list[int]]:
        """The glyphs, and the start of each: its distance along the line and its character; both including the end."""
        if self._measured is None:
            glyphs = self.state.font.glyphs(self.raw) if self.state.font else []
            steps = (self.state.advance(glyph.width, 1, glyph.is_space) for glyph in glyphs)
            lengths = (len(UNKNOWN if glyph.text is None else glyph.text) for glyph in glyphs)
            self._measured = glyphs, list(accumulate(steps, initial=0.0)), list(accumulate(lengths, initial=0))
        return self._measured


@dataclass(frozen=True, eq=False, slots=True)
class PdfMark:
    """A string in the properties of marked content: the operator, and the path to the string inside it."""

    target: Target
    at: int
    path: tuple[str | int, ...]
    text: str


@dataclass
class Block:
    """The content of a page or a stream. `unreadable` has the codes without text of each font.

    `scan` is a page that was read from its pixels, instead of all else. A damaged page could not be interpreted.
    """

    pieces: list[PdfPiece] = field(default_factory=list)
    marks: list[PdfMark] = field(default_factory=list)
    targets: list[Target] = field(default_factory=list)
    unreadable: dict[str, set[bytes]] = field(default_factory=dict)
    has_unreadable_word: bool = False
    image_area: float = 0.0
    scan: Any = None
    is_damaged: bool = False
    images: int = 0
    curves: int = 0
    lines: int = 0
    has_type3: bool = False
    shapes: list[Shape] = field(default_factory=list)
