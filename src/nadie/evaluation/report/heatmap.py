"""The plot of the confusion table: gold labels in rows, the system's labels in columns."""

from __future__ import annotations

from nadie.evaluation.errors import Confusion
from nadie.report.markup import Markup, Phrase, say, tag
from nadie.report.plots import plot
from nadie.report.texts import label_phrase

_CELL, _LEFT, _TOP = 30, 230, 200
_NOTHING_FOUND = Phrase("(missed)", "(no detectado)")
_NOTHING_THERE = Phrase("(false alarm)", "(falsa alarma)")


def heatmap(confusion: Confusion) -> Markup:
    """The intensity of a cell is its share of the row; the number is the count. Agreement has its own colour."""
    labels: tuple[str | None, ...] = (*confusion.labels, None)
    parts = [name(i, label) for i, label in enumerate(labels) for name in (_row_name, _column_name)]
    for i, gold in enumerate(labels):
        whole = confusion.row(gold)
        for j, system in enumerate(labels):
            if gold is None and system is None:
                continue
            times = confusion.cells.get((gold, system), 0)
            parts.append(_cell(i, j, times, times / whole if whole else 0.0, _outcome(gold, system)))
    width, height = _LEFT + _CELL * len(labels) + 60, _TOP + _CELL * len(labels) + 8
    parts.append(tag("text", say("gold ↓", "referencia ↓", "tspan"), x=_LEFT - 12, y=_TOP - 10, class_="axis end"))
    parts.append(tag("text", say("system →", "sistema →", "tspan"), x=_LEFT - 12, y=_TOP - 28, class_="axis end"))
    return plot(parts, (width, height), "confusion", "plot heat")


def _outcome(gold: str | None, system: str | None) -> str:
    if gold is None:
        return "false_alarm"
    if system is None:
        return "miss"
    return "agree" if gold == system else "wrong_label"


def _cell(i: int, j: int, times: int, share: float, outcome: str) -> Markup:
    x, y = _LEFT + _CELL * j, _TOP + _CELL * i
    place = {"x": x + 1, "y": y + 1, "width": _CELL - 2, "height": _CELL - 2, "rx": 3}
    ground = tag("rect", **place, class_="ground")
    if not times:
        return ground
    strength = 0.18 + 0.82 * min(share, 1.0)
    colour = tag("rect", **place, fill_opacity=strength, class_=f"fill {outcome}")
    style = "times dark" if strength > 0.55 else "times"
    text = tag("text", str(times), x=x + _CELL / 2, y=y + _CELL / 2 + 4, class_=style)
    return tag("g", ground, colour, text)


def _row_name(i: int, label: str | None) -> Markup:
    name = label_phrase(label) if label else _NOTHING_THERE
    y = _TOP + _CELL * i + _CELL / 2 + 4
    return tag("text", say(*name, "tspan"), x=_LEFT - 10, y=y, class_="name" if label else "name aside")


def _column_name(j: int, label: str | None) -> Markup:
    name = label_phrase(label) if label else _NOTHING_FOUND
    x, y = _LEFT + _CELL * j + _CELL / 2 + 4, _TOP - 8
    style = "column" if label else "column aside"
    return tag("text", say(*name, "tspan"), x=x, y=y, transform=f"rotate(-60 {x:.0f} {y})", class_=style)
