"""The plot of errors by document: how many documents have none, one, two ..."""

from __future__ import annotations

from collections import Counter

from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.report.markup import Markup, say, tag

_LEFT, _TOP, _HEIGHT, _WIDTH = 60, 20, 220, 900
_COLUMNS = 20


def histogram(evaluation: Evaluation) -> Markup:
    """Stacked columns: documents with readable PHI below, hatched; documents without above."""
    errors = [(len(document.errors), document.leaked > 0) for document in evaluation.documents]
    width = max(number for number, _ in errors) // _COLUMNS + 1
    bins = Counter((number // width, leaks) for number, leaks in errors)
    last = max(column for column, _ in bins)
    tallest = max(bins[column, True] + bins[column, False] for column in range(last + 1))
    step = _WIDTH / (last + 1)
    parts = [_hatching(), _axis(tallest)]
    for column in range(last + 1):
        x, bar = _LEFT + step * column, min(step * 0.82, 56.0)
        left = x + (step - bar) / 2
        leaking, safe = bins[column, True], bins[column, False]
        parts += _stack(left, bar, leaking / tallest, safe / tallest)
        if leaking + safe:
            top = _TOP + _HEIGHT * (1 - (leaking + safe) / tallest)
            parts.append(tag("text", str(leaking + safe), x=x + step / 2, y=top - 5, class_="value middle"))
        name = str(column) if width == 1 else f"{column * width}–{column * width + width - 1}"
        parts.append(tag("text", name, x=x + step / 2, y=_TOP + _HEIGHT + 18, class_="axis middle"))
    title = say("errors in the document", "errores en el documento", "tspan")
    parts.append(tag("text", title, x=_LEFT + _WIDTH / 2, y=_TOP + _HEIGHT + 40, class_="axis middle"))
    box = f"0 0 {_LEFT + _WIDTH + 20} {_TOP + _HEIGHT + 50}"
    return tag("svg", *parts, viewBox=box, role="img", aria_labelledby="h-documents", class_="plot")


def _stack(left: float, bar: float, leaking: float, safe: float) -> list[Markup]:
    bottom = _TOP + _HEIGHT
    parts = []
    if leaking:
        place = {"x": left, "y": bottom - _HEIGHT * leaking, "width": bar, "height": _HEIGHT * leaking}
        parts += [tag("rect", **place, class_="column-leaks"), tag("rect", **place, class_="column-hatch")]
    if safe:
        top = bottom - _HEIGHT * (leaking + safe)
        parts.append(tag("rect", x=left, y=top, width=bar, height=_HEIGHT * safe, class_="column-safe"))
    return parts


def _axis(tallest: int) -> Markup:
    step = max(1, -(-tallest // 4))
    parts = []
    for value in range(0, tallest + 1, step):
        y = _TOP + _HEIGHT * (1 - value / tallest)
        parts.append(tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=y, y2=y, class_="grid"))
        parts.append(tag("text", str(value), x=_LEFT - 10, y=y + 4, class_="axis end"))
    return tag("g", *parts)


def _hatching() -> Markup:
    lines = tag("path", d="M0 6L6 0", class_="hatch-line")
    pattern = tag("pattern", lines, id="hatch", width=6, height=6, patternUnits="userSpaceOnUse")
    return tag("defs", pattern)
