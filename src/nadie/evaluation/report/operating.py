"""The plot of operating points: readable PHI against false alarms, for varying thresholds."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, pairwise

from nadie.evaluation.curve import OperatingPoint
from nadie.report.markup import Markup, say, tag
from nadie.report.numbers import written
from nadie.report.plots import plot

_LEFT, _TOP, _WIDTH, _HEIGHT = 76, 20, 860, 300
_NAMED = 9


def operating(points: Sequence[OperatingPoint]) -> Markup:
    most_alarms = _round_up(max(point.false_alarms_per_1000_tokens for point in points))
    most_readable = _round_up(100 * max(1 - point.character_recall for point in points))
    places = [
        (
            _LEFT + _WIDTH * point.false_alarms_per_1000_tokens / most_alarms,
            _TOP + _HEIGHT * (1 - 100 * (1 - point.character_recall) / most_readable),
        )
        for point in points
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [_axes(most_alarms, most_readable), tag("polyline", points=line, class_="curve")]
    for i in _spread_out(places):
        x, y = places[i]
        parts.append(tag("circle", cx=x, cy=y, r=5, class_="dot"))
        parts.append(tag("text", written(f"{points[i].threshold:.2f}", "tspan"), x=x + 9, y=y - 7, class_="value"))
    return plot(parts, (_LEFT + _WIDTH + 60, _TOP + _HEIGHT + 52), "curve")


def _axes(most_alarms: float, most_readable: float) -> Markup:
    parts = []
    for i in range(5):
        y, x = _TOP + _HEIGHT * (1 - i / 4), _LEFT + _WIDTH * i / 4
        parts.append(tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=y, y2=y, class_="grid"))
        share = written(f"{most_readable * i / 4:g} %", "tspan")
        parts.append(tag("text", share, x=_LEFT - 10, y=y + 4, class_="axis end"))
        parts.append(tag("line", x1=x, x2=x, y1=_TOP, y2=_TOP + _HEIGHT, class_="grid"))
        alarms = written(f"{most_alarms * i / 4:g}", "tspan")
        parts.append(tag("text", alarms, x=x, y=_TOP + _HEIGHT + 18, class_="axis middle"))
    below = say("false alarms per 1000 tokens", "falsas alarmas por cada 1000 tokens", "tspan")
    beside = say("characters left readable", "caracteres que quedan legibles", "tspan")
    parts.append(tag("text", below, x=_LEFT + _WIDTH / 2, y=_TOP + _HEIGHT + 42, class_="axis middle"))
    middle = _TOP + _HEIGHT / 2
    parts.append(tag("text", beside, x=14, y=middle, transform=f"rotate(-90 14 {middle:.0f})", class_="axis middle"))
    return tag("g", *parts)


def _spread_out(places: Sequence[tuple[float, float]]) -> list[int]:
    """The points to label with their thresholds: about equally spaced along the curve."""
    steps = [abs(x - a) + abs(y - b) for (a, b), (x, y) in pairwise(places)]
    walked = [0.0, *accumulate(steps)]
    marks = [walked[-1] * i / (_NAMED - 1) for i in range(_NAMED)]
    return sorted({min(range(len(places)), key=lambda i: abs(walked[i] - mark)) for mark in marks})


def _round_up(value: float) -> float:
    """The next number that can be divided into four round steps."""
    scale = 0.001
    while True:
        for step in (1, 1.25, 1.5, 2, 2.5, 3, 4, 5, 7.5):
            if value <= 4 * step * scale:
                return 4 * step * scale
        scale *= 10
