"""The tables of scores, leaks, confusions and operating points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from nadie.evaluation.evaluate import Difference, Evaluation
from nadie.evaluation.names import MEASURES
from nadie.evaluation.statistics import SHUFFLES
from nadie.labels import Label
from nadie.report.markup import Markup, join, say, tag
from nadie.report.numbers import between, chance, count, number, percent, signed, signed_between
from nadie.report.tables import cell, label_name, table
from nadie.report.texts import hipaa_phrase, section

_SIGNIFICANT = 0.05
_CONFUSIONS = 10


def leaks(evaluation: Evaluation) -> Markup:
    """Readable text by label; the worst first."""
    matches = (match for document in evaluation.documents for match in document.matches)
    left = Counter(match.gold.label for match in matches if match.gold and match.leaked and not match.extra)
    rows = []
    for label, counts in sorted(evaluation.characters_by_label.items(), key=lambda each: (-each[1].leaked, each[0])):
        if not counts.gold:
            continue
        rows.append(
            tag(
                "tr",
                tag("th", label_name(label), scope="row"),
                tag("td", _safe_harbor(label)),
                cell(count(left[label])),
                cell(count(counts.leaked)),
                cell(percent(counts.recall)),
                cell(between(evaluation.label_intervals[f"{label}.characters.recall"]), "quiet"),
                tag("td", _filter_button(label) if counts.leaked else Markup("")),
                class_=None if counts.leaked else "fine",
            )
        )
    return table(section(__package__, "leaks").heads, rows, text_columns=(0, 1, 6))


def official(evaluation: Evaluation) -> Markup:
    rows = []
    for name, key, counts in (
        (say("Subtask 1: label and position", "Subtarea 1: etiqueta y posición"), "subtask1", evaluation.subtask1),
        (say("Subtask 2 strict: position", "Subtarea 2 estricta: posición"), "strict", evaluation.strict),
        (
            say("Subtask 2 merged: adjacent joined", "Subtarea 2 fusionada: contiguos unidos"),
            "merged",
            evaluation.merged,
        ),
    ):
        cells = [
            join([cell(percent(score, 2), "strong" if part == "f1" else ""), _spread(evaluation, f"{key}.{part}")])
            for part, score in (("precision", counts.precision), ("recall", counts.recall), ("f1", counts.f1))
        ]
        numbers = [cell(count(each)) for each in (counts.tp, counts.fp, counts.fn)]
        rows.append(tag("tr", tag("th", name, scope="row"), *cells, *numbers))
    return table(section(__package__, "scores").heads, rows)


def confusions(evaluation: Evaluation) -> Markup:
    """The most frequent confusions of labels, without misses and false alarms."""
    cells = [
        (gold, system, times)
        for (gold, system), times in evaluation.confusion.cells.items()
        if gold and system and gold != system
    ]
    worst = sorted(cells, key=lambda each: (-each[2], each[0], each[1]))[:_CONFUSIONS]
    if not worst:
        return tag(
            "p", say("No label was confused with another.", "Ninguna etiqueta se confundió con otra."), class_="quiet"
        )
    rows = [
        tag("tr", tag("td", label_name(gold)), tag("td", "→ ", label_name(system)), cell(count(times)))
        for gold, system, times in worst
    ]
    return table(section(__package__, "confusion").heads, rows, text_columns=(0, 1))


def operating_points(evaluation: Evaluation, shown: int = 9) -> Markup:
    points = evaluation.curve
    chosen = sorted({round(i * (len(points) - 1) / max(shown - 1, 1)) for i in range(shown)})
    rows = [
        tag(
            "tr",
            cell(number(points[i].threshold, 3)),
            cell(percent(1 - points[i].character_recall, 2)),
            cell(percent(points[i].safe_documents)),
            cell(percent(points[i].character_precision, 2)),
            cell(number(points[i].false_alarms_per_1000_tokens, 2)),
        )
        for i in chosen
    ]
    return table(section(__package__, "curve").heads, rows, text_columns=())


def comparison(differences: Mapping[str, Difference]) -> Markup:
    rows = []
    for name, each in differences.items():
        significant = each.p < _SIGNIFICANT
        digits, scale = (4, 1) if name == "subtask1.leak" else (2, 100)
        values = [f"{scale * value:.{digits}f}" if value is not None else "–" for value in (each.one, each.other)]
        verdict = (
            say("● significant", "● significativa") if significant else say("○ not significant", "○ no significativa")
        )
        rows.append(
            tag(
                "tr",
                tag("th", say(*MEASURES[name]), scope="row"),
                *(cell(value) for value in values),
                cell(signed(each.difference, digits, scale), "strong"),
                cell(signed_between(each.interval, digits, scale), "quiet"),
                cell(chance(each.p, 1 / (SHUFFLES + 1))),
                tag("td", verdict),
                class_=None if significant else "fine",
            )
        )
    return table(section(__package__, "comparison").heads, rows, text_columns=(0, 6))


def _safe_harbor(label: str) -> Markup:
    identifier = Label(label).hipaa
    if identifier is None:
        return tag("span", say("may be kept", "puede conservarse"), class_="quiet")
    return tag("span", f"({identifier.value}) ", tag("small", say(*hipaa_phrase(identifier))))


def _filter_button(label: str) -> Markup:
    return tag("button", say("show", "ver"), type="button", class_="link", data_show=label, hidden=True)


def _spread(evaluation: Evaluation, name: str) -> Markup:
    return cell(between(evaluation.intervals[name], 2), "quiet")
