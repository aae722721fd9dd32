"""Interprets the operators of pages and forms, and records the text shown, its position and its bytes.

All text counts, visible or not: invisible text, hidden layers, text outside the page or under images.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from nadie.errors import FormatError
from nadie.files.containers.pdf.fonts import Font
from nadie.files.containers.pdf.geometry import IDENTITY, Matrix, matrix, moved, number, times
from nadie.files.containers.pdf.object_types import is_array, is_dictionary, is_string
from nadie.files.containers.pdf.pieces import ALT_TEXT, Block, PdfMark, PdfPiece, Target, TextState
from nadie.files.containers.pdf.shapes import MAX_SHAPES, OPERATORS, Path, area_of
from nadie.files.containers.pdf.streams import instructions

MAX_NESTED = 20
MAX_STEPS = 3_000_000
"""The maximum number of operators in one file; forms count each time they are drawn."""
_WEIGHT_IN_FORMS = 5  # forms can be nested, and drawn many times


class ContentReader:
    """Reads the contents of one file; each font is read once."""

    def __init__(self, where: str) -> None:
        self._where = where
        self._fonts: dict[tuple[tuple[int, int], str], Font] = {}
        self._targets: dict[tuple[int, int], Target] = {}
        self._steps = 0

    def read(self, block: Block, content: Any, resources: Any, ctm: Matrix = IDENTITY) -> None:
        """Add the text shown by a page or a stream to the block."""
        _Walk(self, block, content, resources, ctm, TextState(), (), content.objgen, 0).go()

    def target(self, content: Any, block: Block) -> Target:
        """The target of a page or stream, the same each time it is drawn."""
        key = content.objgen
        if key not in self._targets or key == (0, 0):
            self._targets[key] = Target(content, content.get("/Resources", None))
        target = self._targets[key]
        if target not in block.targets:
            block.targets.append(target)
        return target

    def font(self, spec: Any, owner: tuple[int, int], name: str) -> Font:
        """A font; a font that is not an indirect object is identified by its name in the resources of its owner."""
        key = (spec.objgen, "") if spec.is_indirect else (owner, name)
        if key not in self._fonts:
            self._fonts[key] = Font(spec, self._where)
        return self._fonts[key]

    def instructions(self, content: Any, depth: int) -> Iterator[tuple[list[Any], str]]:
        for instruction in instructions(content, self._where):
            self._steps += _WEIGHT_IN_FORMS if depth else 1
            if self._steps > MAX_STEPS:
                raise FormatError(f"has more than {MAX_STEPS} operators", where=self._where)
            yield instruction

    def deeper(self, depth: int) -> int:
        if depth >= MAX_NESTED:
            raise FormatError(f"has forms nested more than {MAX_NESTED} deep", where=self._where)
        return depth + 1


class _Walk:
    """The interpretation of one page or stream: the graphics state and the text state."""

    def __init__(
        self, reader: ContentReader, block: Block, content: Any, resources: Any, ctm: Matrix, state: TextState,
        marks: tuple[tuple[Target, int], ...], owner: tuple[int, int], depth: int,
    ) -> None:  # fmt: skip
        self._reader, self._block, self._depth = reader, block, depth
        self._target = reader.target(content, block)
        own = content.get("/Resources", None)
        self._resources = resources if own is None else own
        self._owner = owner if own is None else content.objgen
        self._ctm, self._state = ctm, state
        self._line = self._text = IDENTITY
        self._stack: list[tuple[Matrix, TextState]] = []
        self._marks: list[tuple[tuple[Target, int], ...]] = [marks]
        self._at = 0
        self._path, self._has_image = Path(), False
        self._measured: tuple[Any, tuple[float, int]] = (None, (0.0, 0))

    def go(self) -> None:
        handlers = {
            name.removeprefix("_op_"): getattr(self, name) for name in dir(type(self)) if name.startswith("_op_")
        }
        spelled = {"T*": self._next_line, "'": self._op_quote, '"': self._op_double_quote}
        for at, (operands, name) in enumerate(self._reader.instructions(self._target.content, self._depth)):
            handler = spelled.get(name) or handlers.get(name)
            if handler is not None:
                self._at = at
                handler(*operands)
            elif name in OPERATORS:
                self._draw(name, operands)

    def _draw(self, name: str, operands: list[Any]) -> None:
        block = self._block
        block.curves += name in ("c", "v", "y")
        block.lines += name in ("l", "re")
        painted = self._path.take(name, operands, self._ctm)
        if painted and len(block.shapes) < MAX_SHAPES:
            block.shapes += painted
        if painted and self._has_image:
            block.images += 1
            block.image_area += area_of(painted)

    def _op_scn(self, *operands: Any) -> None:
        """A colour, or a pattern, which may be an image."""
        name = str(operands[-1]) if operands else ""
        pattern = self._resource("/Pattern", name) if name.startswith("/") else None
        self._has_image = pattern is not None and shows_image(pattern)

    def _op_q(self, *_: Any) -> None:
        self._stack.append((self._ctm, self._state))

    def _op_Q(self, *_: Any) -> None:  # noqa: N802
        if self._stack:
            self._ctm, self._state = self._stack.pop()

    def _op_cm(self, *values: Any) -> None:
        self._ctm = times(matrix(values), self._ctm)

    def _op_gs(self, name: Any) -> None:
        graphics_state = self._resource("/ExtGState", name)
        given = graphics_state.get("/Font", None) if graphics_state is not None else None
        if given is not None:
            self._state = replace(
                self._state, font=self._reader.font(given[0], self._owner, f"gs {name}"), name="", size=number(given[1])
            )

    def _op_BT(self, *_: Any) -> None:  # noqa: N802
        self._line = self._text = IDENTITY

    def _op_Tf(self, name: Any, size: Any) -> None:  # noqa: N802
        spec = self._resource("/Font", name)
        font = None if spec is None else self._reader.font(spec, self._owner, str(name))
        self._state = replace(self._state, font=font, name=str(name), size=number(size))

    def _op_Tc(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, spacing=number(value))

    def _op_Tw(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, word_spacing=number(value))

    def _op_Tz(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, stretch=number(value) / 100)

    def _op_TL(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, leading=number(value))

    def _op_Ts(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, rise=number(value))

    def _op_Tr(self, value: Any) -> None:  # noqa: N802
        self._state = replace(self._state, mode=int(value))

    def _op_Td(self, x: Any, y: Any) -> None:  # noqa: N802
        self._line = self._text = moved(self._line, number(x), number(y))

    def _op_TD(self, x: Any, y: Any) -> None:  # noqa: N802
        self._op_TL(-number(y))
        self._op_Td(x, y)

    def _op_Tm(self, *values: Any) -> None:  # noqa: N802
        self._line = self._text = matrix(values)

    def _next_line(self, *_: Any) -> None:
        self._op_Td(0, -self._state.leading)

    def _op_quote(self, text: Any) -> None:
        self._next_line()
        self._show(bytes(text), 0)

    def _op_double_quote(self, word_spacing: Any, spacing: Any, text: Any) -> None:
        self._op_Tw(word_spacing)
        self._op_Tc(spacing)
        self._op_quote(text)

    def _op_Tj(self, text: Any) -> None:  # noqa: N802
        self._show(bytes(text), 0)

    def _op_TJ(self, items: Any) -> None:  # noqa: N802
        state = self._state
        for index, item in enumerate(items):
            if is_string(item):
                self._show(bytes(item), index)
            else:
                self._step(-number(item) / 1000 * state.size)

    def _step(self, way: float) -> tuple[float, float]:
        """Advance along the line."""
        font = self._state.font
        x, y = (0.0, way) if font and font.is_vertical else (way * self._state.stretch, 0.0)
        self._text = moved(self._text, x, y)
        return x, y

    def _show(self, raw: bytes, index: int) -> None:
        state = self._state
        if not raw:
            return
        if state.font is None:
            self._block.unreadable.setdefault("?", set()).add(raw)
            self._block.has_unreadable_word = True
            return
        shown = state.font.shown(raw)
        if not shown.is_readable:
            self._note_unreadable(state.font, raw)
        self._block.has_type3 |= state.font.is_type3
        place = times(self._text, self._ctm)
        way = state.advance(shown.width, shown.glyphs, shown.spaces)
        x, y = self._step(way)
        em, angle = self._measures(place)
        rise = state.rise
        start, end = moved(place, 0, rise)[4:], moved(place, x, y + rise)[4:]
        marks = self._marks[-1]
        piece = PdfPiece(self._target, self._at, index, raw, state, marks, shown.text, start, end, em, angle)
        self._block.pieces.append(piece)

    def _measures(self, place: Matrix) -> tuple[float, int]:
        """The height of the letters and the direction of the line, which seldom change between pieces."""
        state, (a, b, c, d, *_) = self._state, place
        key = (a, b, c, d, state)
        if self._measured[0] != key:
            sign = math.copysign(1.0, state.size * state.stretch)
            scale = abs(state.font.scale) if state.font else 1.0
            angle = round(math.degrees(math.atan2(b * sign, a * sign)))
            self._measured = key, (abs(state.size) * math.hypot(c, d) * scale, angle)
        return self._measured[1]

    def _note_unreadable(self, font: Font, raw: bytes) -> None:
        at, was_unreadable = 0, False
        for glyph in font.glyphs(raw):
            if glyph.text is None:
                self._block.unreadable.setdefault(font.name, set()).add(raw[at : at + glyph.size])
                self._block.has_unreadable_word |= was_unreadable
            was_unreadable = glyph.text is None
            at += glyph.size

    def _op_Do(self, name: Any) -> None:  # noqa: N802
        drawn = self._resource("/XObject", name)
        if drawn is None:
            return
        if str(drawn.get("/Subtype", "")) == "/Image":
            self._op_BI()
            return
        inner = times(matrix(drawn.get("/Matrix", IDENTITY)), self._ctm)
        depth = self._reader.deeper(self._depth)
        state, marks = self._state, self._marks[-1]
        _Walk(self._reader, self._block, drawn, self._resources, inner, state, marks, self._owner, depth).go()

    def _op_BI(self, *_: Any) -> None:  # noqa: N802
        a, b, c, d, *_rest = self._ctm
        self._block.images += 1
        self._block.image_area += abs(a * d - b * c)

    def _op_BMC(self, *_: Any) -> None:  # noqa: N802
        self._marks.append(self._marks[-1])

    def _op_BDC(self, *operands: Any) -> None:  # noqa: N802
        self._note_strings(operands)
        properties = operands[1] if len(operands) > 1 else None
        has_alt = properties is not None and (
            not is_dictionary(properties) or any(key in properties for key in ALT_TEXT)
        )
        self._marks.append((*self._marks[-1], (self._target, self._at)) if has_alt else self._marks[-1])

    def _op_DP(self, *operands: Any) -> None:  # noqa: N802
        self._note_strings(operands)

    def _op_EMC(self, *_: Any) -> None:  # noqa: N802
        if len(self._marks) > 1:
            self._marks.pop()

    def _note_strings(self, operands: tuple[Any, ...]) -> None:
        for number_, operand in enumerate(operands):
            if is_dictionary(operand):
                for path, text in strings_inside(operand, (number_,)):
                    self._block.marks.append(PdfMark(self._target, self._at, path, text))

    def _resource(self, kind: str, name: Any) -> Any:
        group = self._resources.get(kind, None) if self._resources is not None else None
        return group.get(str(name), None) if group is not None else None


def shows_image(content: Any, depth: int = 0) -> bool:
    """Whether the resources of a pattern or a form have an image."""
    resources = content.get("/Resources", None)
    drawn: Any = resources.get("/XObject", {}) if is_dictionary(resources) else {}
    return any(
        str(each.get("/Subtype", "")) == "/Image" or (depth < MAX_NESTED and shows_image(each, depth + 1))
        for each in drawn.values()
    )


def strings_inside(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The strings of a direct dictionary, with the path to each."""
    for key in list(value.keys()) if is_dictionary(value) else range(len(value)):
        inner = value[key]
        if is_string(inner) and key != "/Lang":
            yield (*path, key), str(inner)
        elif is_dictionary(inner) or is_array(inner):
            yield from strings_inside(inner, (*path, key))
