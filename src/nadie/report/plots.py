"""Plots of counts, as inline SVG: stacked bars and stacked columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from nadie.report.markup import Markup, tag
from nadie.report.numbers import count

_NAMES, _BARS, _ROW = 250, 660, 26
_LEFT, _TOP, _HEIGHT, _WIDTH = 60, 20, 220, 900


class Stack(NamedTuple):
    """One bar or column: its name, and the counts that it is made of, each with the CSS class of its fill."""

    name: Markup
    parts: Sequence[tuple[int, str]]

    @property
    def total(self) -> int:
        return sum(each for each, _ in self.parts)


def plot(parts: Sequence[Markup], size: tuple[float, float], section: str, style: str = "plot") -> Markup:
    """The picture, described by the heading of its section."""
    width, height = size
    box = f"0 0 {width:g} {height:g}"
    picture = tag("svg", *parts, viewBox=box, role="img", aria_labelledby=f"h-{section}", class_=style)
    return tag("div", picture, class_="scroll", tabindex="0", role="group")


def bars(stacks: Sequence[Stack], section: str) -> Markup:
    """Horizontal bars, from the top down."""
    most = max((stack.total for stack in stacks), default=0) or 1
    drawn: list[Markup] = []
    for row, stack in enumerate(stacks):
        x, y = float(_NAMES), _ROW * row + 4
        drawn.append(tag("text", stack.name, x=_NAMES - 12, y=y + 13, class_="name"))
        for part, style in stack.parts:
            width = _BARS * part / most
            if part:
                drawn.append(_rect(x, y, max(width, 1.0), 18.0, part, style))
            x += width
        drawn.append(tag("text", count(stack.total), x=x + 8, y=y + 13, class_="value"))
    return plot(drawn, (_NAMES + _BARS + 90, _ROW * len(stacks) + 8), section)


def columns(stacks: Sequence[Stack], section: str, axis: Markup) -> Markup:
    """Vertical columns; the first part of each is at the bottom. A part of the class `hatch` is hatched."""
    most = max((stack.total for stack in stacks), default=0) or 1
    step = _WIDTH / len(stacks)
    drawn = [_hatching(section), _grid(most)]
    for place, stack in enumerate(stacks):
        width = min(step * 0.82, 56.0)
        middle, y = _LEFT + step * (place + 0.5), float(_TOP + _HEIGHT)
        for part, style in stack.parts:
            height = _HEIGHT * part / most
            y -= height
            if part:
                drawn.append(_rect(middle - width / 2, y, width, max(height, 1.0), part, style, section))
        if stack.total:
            drawn.append(tag("text", count(stack.total), x=middle, y=y - 5, class_="value middle"))
        drawn.append(tag("text", stack.name, x=middle, y=_TOP + _HEIGHT + 18, class_="axis middle"))
    drawn.append(tag("text", axis, x=_LEFT + _WIDTH / 2, y=_TOP + _HEIGHT + 40, class_="axis middle"))
    return plot(drawn, (_LEFT + _WIDTH + 20, _TOP + _HEIGHT + 50), section)


def _rect(x: float, y: float, width: float, height: float, part: int, style: str, section: str = "") -> Markup:
    fill = f"url(#hatch-{section})" if style == "hatch" else None
    tip = tag("title", count(part))
    return tag("rect", tip, x=x, y=y, width=width, height=height, fill=fill, class_=style)


def _grid(most: int) -> Markup:
    parts = []
    for value in range(0, most + 1, -(-most // 4)):
        y = _TOP + _HEIGHT * (1 - value / most)
        parts.append(tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=y, y2=y, class_="grid"))
        parts.append(tag("text", count(value), x=_LEFT - 10, y=y + 4, class_="axis end"))
    return tag("g", *parts)


def _hatching(section: str) -> Markup:
    ground = tag("rect", width=6, height=6, class_="hatch-ground")
    lines = tag("path", d="M0 6L6 0", class_="hatch-line")
    identity = f"hatch-{section}"
    return tag("defs", tag("pattern", ground, lines, id=identity, width=6, height=6, patternUnits="userSpaceOnUse"))
