"""Removes glyphs from the operators that show them, and inserts the replacements.

Subsequent text keeps its position: a number in `TJ` advances by the width of the removed glyphs. The replacement is
shown in a standard font, condensed and reduced to fit; if it is still too wide, a black box is shown instead.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate
from math import cos, radians, sin
from typing import Any

import pikepdf
from pdfminer.fontmetrics import FONT_METRICS

from nadie.files.containers.pdf.layout import PieceAddress
from nadie.files.containers.pdf.object_types import is_dictionary, is_string
from nadie.files.containers.pdf.pieces import ALT_TEXT, PdfMark, PdfPiece, Target, TextState
from nadie.files.containers.pdf.streams import parsed
from nadie.files.mapped import MappedText, SegmentEdit

TEXT_FONT, BOX_FONT = "/NadieText", "/NadieBox"
_BOX = b"n"  # the black box of ZapfDingbats
_BOX_WIDTH = 0.761
_NARROWEST = 0.4
_SMALLEST = 0.5


@dataclass
class Cut:
    """Glyphs `first` to `last` of a piece are removed; `room` is the length on the page for `replacement`."""

    piece: PdfPiece
    first: int
    last: int
    replacement: str = ""
    room: float = 0.0


Cuts = dict[int, dict[int, list[Cut]]]
"""The cuts of a target: by operator, by string of the operator."""


def cuts_of(text: MappedText[Any], edits: Iterable[Any]) -> dict[Target, Cuts]:
    """The edits of the text that concern pieces, by target."""
    changes = [change for change in text.split(edits) if _is_piece_address(change.segment.address)]
    found: dict[Target, Cuts] = {}
    for n, change in enumerate(changes):
        room = _room(changes, n) if change.replacement else 0.0
        for piece in change.segment.address:
            first, last = _glyphs(piece, change.start, change.end)
            cut = Cut(piece, first, last, change.replacement, room)
            found.setdefault(piece.target, {}).setdefault(piece.at, {}).setdefault(piece.index, []).append(cut)
            for target, at in piece.marks:
                found.setdefault(target, {}).setdefault(at, {})
    return found


def marks_of(text: MappedText[Any], edits: Iterable[Any]) -> dict[Target, list[tuple[PdfMark, str]]]:
    """The new strings in the properties of marked content, by target."""
    found: dict[Target, list[tuple[PdfMark, str]]] = {}
    for segment, new in text.changes(edits):
        if isinstance(segment.address, PdfMark):
            found.setdefault(segment.address.target, []).append((segment.address, new))
    return found


def rewritten(target: Target, cuts: Cuts, marks: list[tuple[PdfMark, str]], where: str) -> bytes:
    """The operators of a target without the removed glyphs; comments and damaged ends are removed as well."""
    marks_at: dict[int, list[tuple[PdfMark, str]]] = {}
    for mark, new in marks:
        marks_at.setdefault(mark.at, []).append((mark, new))
    out: list[Any] = []
    for at, instruction in enumerate(parsed(target.content, where)):
        for mark, new in marks_at.get(at, []):
            _set_string(instruction, mark, new)
        if at not in cuts:
            out.append(instruction)
        elif str(instruction.operator) == "BDC":
            _remove_actual_text(target, instruction)
            out.append(instruction)
        else:
            out += _without(instruction, cuts[at], target)
    return bytes(pikepdf.unparse_content_stream(out))


def _without(instruction: Any, cuts: dict[int, list[Cut]], target: Target) -> Iterator[Any]:
    """The replacement of an operator that shows text."""
    operands, name = list(instruction.operands), str(instruction.operator)
    if name == '"':
        yield _instruction([operands[0]], "Tw")
        yield _instruction([operands[1]], "Tc")
    if name in ("'", '"'):
        yield _instruction([], "T*")
    items: list[Any] = []
    for index, item in enumerate(list(operands[0]) if name == "TJ" else [operands[-1]]):
        if index not in cuts or not is_string(item):
            items.append(item)
            continue
        piece = cuts[index][0].piece
        for part in _parts(piece, cuts[index]):
            if isinstance(part, bytes):
                items.append(pikepdf.String(part))
                continue
            cut, way = part
            shown = _shown(cut, target)
            if shown:
                yield _instruction([pikepdf.Array(items)], "TJ")
                items = []
                yield from shown[0]
            size = piece.state.size
            items.append(-round((way - (shown[1] if shown else 0.0)) * 1000 / size, 3) if size else 0)
    yield _instruction([pikepdf.Array(items)], "TJ")


def _parts(piece: PdfPiece, cuts: list[Cut]) -> Iterator[bytes | tuple[Cut, float]]:
    """The bytes that are kept, and each cut with the advance of its glyphs."""
    glyphs, ways, _ = piece.measure()
    starts = list(accumulate((glyph.size for glyph in glyphs), initial=0))
    at = 0
    for cut in sorted(cuts, key=lambda each: each.first):
        if cut.last <= at:
            continue
        first = max(at, cut.first)
        if first > at:
            yield piece.raw[starts[at] : starts[first]]
        yield cut, ways[cut.last] - ways[first]
        at = cut.last
    if at < len(glyphs):
        yield piece.raw[starts[at] :]


def _shown(cut: Cut, target: Target) -> tuple[list[Any], float] | None:
    """The operators that show a replacement, and their advance before horizontal scaling."""
    piece = cut.piece
    state = piece.state
    if not cut.replacement or not state.name or not state.size or state.font is None or state.font.is_vertical:
        return None
    if target.resources is None or not state.stretch:
        return None
    letters = cut.replacement.encode("cp1252", "replace")
    size = state.size * state.font.scale
    em = piece.em or 1.0
    fitting = cut.room / (width_of(letters) * em)
    smaller = max(_SMALLEST, min(1.0, fitting / _NARROWEST))
    font, stretch = TEXT_FONT, min(1.0, fitting / smaller)
    if stretch < _NARROWEST - 0.001:
        font, letters, smaller = BOX_FONT, _BOX, 0.8
        stretch = max(0.05, cut.room / (_BOX_WIDTH * em * smaller))
    width = _BOX_WIDTH if font == BOX_FONT else width_of(letters)
    add_fonts(target)
    sign = -1 if state.stretch < 0 else 1
    shown = [
        _instruction([pikepdf.Name(font), round(size * smaller, 4)], "Tf"),
        _instruction([round(stretch * 100 * sign, 3)], "Tz"),
        _instruction([0], "Tc"),
        _instruction([0], "Tw"),
        _instruction([pikepdf.String(letters)], "Tj"),
        *_restored(state),
    ]
    return shown, width * size * smaller * stretch * sign / state.stretch


def _restored(state: TextState) -> Iterator[Any]:
    yield _instruction([pikepdf.Name(state.name), round(state.size, 6)], "Tf")
    yield _instruction([round(state.stretch * 100, 6)], "Tz")
    yield _instruction([round(state.spacing, 6)], "Tc")
    yield _instruction([round(state.word_spacing, 6)], "Tw")


def add_fonts(target: Target) -> None:
    """Add the two standard fonts, which every viewer has, to a page or a form."""
    fonts = target.resources.get("/Font", None)
    if fonts is None:
        fonts = target.resources["/Font"] = pikepdf.Dictionary()
    for name, base, extra in ((TEXT_FONT, "/Helvetica", "/WinAnsiEncoding"), (BOX_FONT, "/ZapfDingbats", None)):
        if name not in fonts:
            font = pikepdf.Dictionary(Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name(base))
            if extra:
                font.Encoding = pikepdf.Name(extra)
            fonts[name] = font


def width_of(letters: bytes) -> float:
    """The width of a text in Helvetica, as a fraction of the size."""
    widths = FONT_METRICS["Helvetica"][1]
    return sum(widths.get(letter, 556) for letter in letters.decode("cp1252", "replace")) / 1000 or 0.001


def _glyphs(piece: PdfPiece, start: int, end: int) -> tuple[int, int]:
    """The glyphs that show some characters of a piece."""
    _, _, letters = piece.measure()
    return max(bisect_right(letters, start) - 1, 0), bisect_left(letters, end)


def _room(changes: list[SegmentEdit[PieceAddress]], n: int) -> float:
    """The length that is free for a replacement: up to the next one, or the end of the line."""
    here = changes[n].segment.address[0]
    room, begin = 0.0, _position(here, changes[n].start)
    for m in range(n, len(changes)):
        piece = changes[m].segment.address[0]
        if (m > n and changes[m].replacement) or piece.angle != here.angle:
            break
        along, across = _turned(begin, _position(piece, changes[m].end), here)
        if abs(across) > 0.5 * max(here.em, 0.1):
            break
        room = max(room, along)
    return room


def _position(piece: PdfPiece, character: int) -> tuple[float, float]:
    """The position of a character of a piece on the page."""
    _, ways, letters = piece.measure()
    share = ways[bisect_left(letters, character)] / ways[-1] if ways[-1] else 0.0
    (x0, y0), (x1, y1) = piece.start, piece.end
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share


def _turned(begin: tuple[float, float], end: tuple[float, float], piece: PdfPiece) -> tuple[float, float]:
    x, y, angle = end[0] - begin[0], end[1] - begin[1], radians(piece.angle)
    return x * cos(angle) + y * sin(angle), y * cos(angle) - x * sin(angle)


def _is_piece_address(address: Any) -> bool:
    return isinstance(address, tuple) and isinstance(address[0], PdfPiece)


def _set_string(instruction: Any, mark: PdfMark, new: str) -> None:
    inner = list(instruction.operands)[mark.path[0]]  # type: ignore[index]
    for key in mark.path[1:-1]:
        inner = inner[key]
    inner[mark.path[-1]] = pikepdf.String(new)


def _remove_actual_text(target: Target, instruction: Any) -> None:
    """Remove the replacement text of marked content whose letters were removed."""
    for operand in list(instruction.operands)[1:]:
        properties = operand
        if not is_dictionary(operand):
            groups = (target.resources or {}).get("/Properties", {})
            properties = groups.get(str(operand), None)
        for key in ALT_TEXT:
            if properties is not None and key in properties:
                del properties[key]


def _instruction(operands: list[Any], name: str) -> Any:
    return pikepdf.ContentStreamInstruction(operands, pikepdf.Operator(name))
