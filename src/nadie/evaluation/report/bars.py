"""The plot of F1 by label: one bar per label, with its confidence interval."""

from __future__ import annotations

from nadie.evaluation.evaluate import Evaluation
from nadie.evaluation.official import Counts
from nadie.evaluation.statistics import Interval
from nadie.report.markup import Markup, join, say, tag
from nadie.report.numbers import between, count, percent, written
from nadie.report.plots import plot
from nadie.report.texts import label_phrase

_ROW, _LEFT, _WIDTH, _TOP = 26, 250, 490, 34
_PAGE = 1000
_VALUES = _LEFT + _WIDTH + 34


def bars(evaluation: Evaluation) -> Markup:
    """The labels from worst to best; labels that do not occur in gold are last."""
    rows = sorted(evaluation.labels.items(), key=lambda each: (_absent(each[1]), each[1].f1, each[0]))
    height = _TOP + _ROW * len(rows) + 12
    parts = [_grid(height)]
    for row, (label, counts) in enumerate(rows):
        middle = _TOP + _ROW * row + _ROW / 2
        parts.append(tag("text", say(*label_phrase(label), "tspan"), x=_LEFT - 12, y=middle + 4, class_="name"))
        if _absent(counts):
            parts.append(_alarms(counts, middle))
        else:
            parts.append(_bar(counts, evaluation.label_intervals[f"{label}.f1"], middle))
        parts.append(tag("text", count(counts.tp + counts.fn), x=_PAGE - 4, y=middle + 4, class_="value end"))
    heading = say("in gold", "en la referencia", "tspan")
    parts.append(tag("text", heading, x=_PAGE - 4, y=_TOP - 14, class_="axis end"))
    parts.append(tag("text", say("F1 [95 % CI]", "F1 [IC 95 %]", "tspan"), x=_VALUES, y=_TOP - 14, class_="axis"))
    return plot(parts, (_PAGE, height), "labels")


def _absent(counts: Counts) -> bool:
    return counts.tp + counts.fn == 0


def _bar(counts: Counts, interval: Interval | None, y: float) -> Markup:
    bar = tag("rect", x=_LEFT, y=y - 8, width=max(_WIDTH * counts.f1, 1.0), height=16, rx=2, class_="bar")
    whisker = _whisker(_at(interval.low), _at(interval.high), y) if interval else Markup("")
    values = written(f"{percent(counts.f1)}  [{between(interval)}]", "tspan")
    return join([bar, whisker, tag("text", values, x=_VALUES, y=y + 4, class_="value")])


def _alarms(counts: Counts, y: float) -> Markup:
    """A label that does not occur in gold has no meaningful F1, only false alarms."""
    words = say(f"{count(counts.fp)} false", f"{count(counts.fp)} falsos", "tspan")
    return tag("text", words, x=_VALUES, y=y + 4, class_="value aside")


def _at(share: float) -> float:
    return _LEFT + _WIDTH * share


def _grid(height: float) -> Markup:
    parts = []
    for step in range(0, 101, 20):
        x = _at(step / 100)
        parts.append(tag("line", x1=x, x2=x, y1=_TOP - 6, y2=height - 10, class_="grid"))
        parts.append(tag("text", str(step), x=x, y=_TOP - 14, class_="axis middle"))
    return tag("g", *parts)


def _whisker(low: float, high: float, y: float) -> Markup:
    path = f"M{low:.1f} {y - 4:.1f}v8M{low:.1f} {y:.1f}H{high:.1f}M{high:.1f} {y - 4:.1f}v8"
    return tag("path", d=path, class_="whisker")
