"""An evaluation, a comparison and the result of the robustness suite as tables, in the user's language."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich import box
from rich.console import RenderableType
from rich.table import Table

from nadie.cli.language import is_translated, say_cell
from nadie.evaluation.evaluate import Difference, Evaluation
from nadie.evaluation.names import ERROR_NAMES, MEASURES
from nadie.evaluation.official import Counts
from nadie.evaluation.statistics import Interval
from nadie.evaluation.suite.counts import GroupCounts
from nadie.evaluation.suite.runner import PLAIN, SuiteResult
from nadie.report.markup import Phrase

_CONFUSIONS = 15
_GROUP_COLUMNS = ("notes", "recall", "precision", "over-masked", "terms", "figures", "nothing missed", "F1")
COUNTRIES = {
    "AR": "Argentina", "BO": "Bolivia", "CL": "Chile", "CO": "Colombia", "CR": "Costa Rica", "CU": "Cuba",
    "DO": "Dominican Republic", "EC": "Ecuador", "ES": "Spain", "GT": "Guatemala", "HN": "Honduras", "MX": "Mexico",
    "NI": "Nicaragua", "PA": "Panama", "PE": "Peru", "PR": "Puerto Rico", "PY": "Paraguay", "SV": "El Salvador",
    "US": "United States", "UY": "Uruguay", "VE": "Venezuela",
}  # fmt: skip


def tables(evaluation: Evaluation) -> Iterator[Table]:
    """The scores overall and by label, the leaks, and the confusion of labels."""
    yield _overall(evaluation)
    yield _by_label(evaluation)
    yield _leaks(evaluation)
    yield _confusions(evaluation)


def comparison_table(differences: Mapping[str, Difference]) -> Table:
    table = _table("Comparison (differences are second minus first; p from a paired randomisation test)", "score")
    for heading in ("first", "second", "difference", "95 % interval", "p"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, each in differences.items():
        digits, scale = (5, 1) if name == "subtask1.leak" else (2, 100)
        p = f"{each.p:.4f}"
        table.add_row(
            _named(MEASURES[name]),
            *("-" if value is None else f"{scale * value:.{digits}f}" for value in (each.one, each.other)),
            "-" if each.difference is None else f"{scale * each.difference:+.{digits}f}",
            _interval(each.interval, scale),
            f"[bold]{p}[/]" if each.p < 0.05 else p,
        )
    return table


def suite_tables(result: SuiteResult) -> Iterator[Table]:
    """The corpus and its altered copies, then the hand-written notes: by country, by style, by label."""
    if result.corpus:
        yield _corpus(result.corpus)
    yield _groups("country", result, result.by_country, COUNTRIES)
    yield _groups("style", result, result.by_style, {})
    yield _suite_labels(result)


def _overall(evaluation: Evaluation) -> Table:
    table = _table(f"Overall ({len(evaluation.documents)} documents)", "metric")
    _score_columns(table)
    for name, key, counts in (
        ("subtask 1: label and place", "subtask1", evaluation.subtask1),
        ("subtask 2 strict: place", "strict", evaluation.strict),
        ("subtask 2 merged", "merged", evaluation.merged),
    ):
        table.add_row(name, *_scores(counts, evaluation.intervals[f"{key}.f1"]))
    return table


def _by_label(evaluation: Evaluation) -> Table:
    table = _table("By label (subtask 1)", "label")
    _score_columns(table)
    for label, counts in evaluation.labels.items():
        table.add_row(label, *_scores(counts, evaluation.label_intervals[f"{label}.f1"]))
    return table


def _leaks(evaluation: Evaluation) -> Table:
    table = _table("Leaks and errors", "what")
    table.add_column("value", justify="right", no_wrap=True)
    table.add_column("95 % interval", justify="right", no_wrap=True)
    table.add_column("of", no_wrap=True)
    spread, characters = evaluation.intervals, evaluation.characters
    own = " (counted by nadie)" if evaluation.sentences_from == "nadie" else ""
    rows = (
        (
            "subtask1.leak",
            f"{evaluation.leak:.5f}",
            f"{evaluation.subtask1.fn} in {evaluation.sentences} sentences{own}",
        ),
        ("characters.recall", _percent(characters.recall), f"{characters.both} of {characters.gold} characters"),
        ("characters.leaked_share", _percent(characters.leaked_share), f"{characters.leaked} characters"),
        (
            "characters.precision",
            _percent(characters.precision),
            f"{characters.both} of {characters.system} characters",
        ),
        ("documents.safe_share", _percent(evaluation.safe_share), f"{evaluation.safe} of {len(evaluation.documents)}"),
    )
    for name, value, whole in rows:
        spread_text = _interval(spread[name], scale=1 if name == "subtask1.leak" else 100)
        table.add_row(_named(MEASURES[name]), value, spread_text, whole)
    table.add_section()
    for kind, count in evaluation.confusion.kinds.items():
        table.add_row(_named(ERROR_NAMES[kind].name), str(count), "", "spans")
    return table


def _confusions(evaluation: Evaluation) -> Table:
    """The most frequent cells off the diagonal; `--json` and `--report` have all of them."""
    cells = [(times, gold, system) for (gold, system), times in evaluation.confusion.cells.items() if gold != system]
    cells.sort(key=lambda cell: (-cell[0], cell[1] or "", cell[2] or ""))
    more = f", {len(cells) - _CONFUSIONS} more not shown" if len(cells) > _CONFUSIONS else ""
    table = _table(f"Confusion (each gold span once{more})", "gold")
    table.add_column("system", no_wrap=True)
    table.add_column("times", justify="right", no_wrap=True)
    for times, gold, system in cells[:_CONFUSIONS]:
        table.add_row(gold or "(nothing: false alarm)", system or "(nothing: missed)", str(times))
    return table


def _corpus(groups: Mapping[str, GroupCounts]) -> Table:
    """Each alteration with its loss of recall, in points, against the unchanged corpus."""
    table = _table("The corpus, plain and altered", "alteration")
    for heading in ("documents", "recall", "lost", "precision", "nothing missed", "F1"):
        table.add_column(heading, justify="right", no_wrap=True)
    plain = groups[PLAIN].characters.recall
    for name, each in groups.items():
        lost = "" if name == PLAIN else f"{100 * (plain - each.characters.recall):.2f}"
        recall, precision = _percent(each.characters.recall), _percent(each.characters.precision)
        table.add_row(
            name, str(each.documents), recall, lost, precision, _percent(each.safe_share), _percent(each.subtask1.f1)
        )
    return table


def _groups(grouping: str, result: SuiteResult, groups: Mapping[str, GroupCounts], names: Mapping[str, str]) -> Table:
    table = _table(f"Hand-written notes, by {grouping} (terms, figures: traps masked)", grouping)
    for heading in _GROUP_COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, each in groups.items():
        table.add_row(names.get(name, name), *_group_row(each))
    table.add_section()
    table.add_row("[bold]all[/]", *_group_row(result.notes))
    return table


def _group_row(each: GroupCounts) -> tuple[str, ...]:
    has_phi = each.characters.gold > 0
    return (
        str(each.documents),
        _percent(each.characters.recall) if has_phi else "-",
        _percent(each.characters.precision) if each.characters.system else "-",
        _percent(each.overmasked_share),
        f"{each.traps.terms_masked} of {each.traps.terms}",
        f"{each.traps.figures_masked} of {each.traps.figures}",
        _percent(each.safe_share),
        _percent(each.subtask1.f1) if has_phi else "-",
    )


def _suite_labels(result: SuiteResult) -> Table:
    table = _table("Hand-written notes, by label (covered by any span)", "label")
    for heading in ("characters", "recall"):
        table.add_column(heading, justify="right", no_wrap=True)
    for label, counts in result.by_label.items():
        table.add_row(label, str(counts.gold), _percent(counts.recall))
    return table


class _SaidTable(Table):
    """A table whose headings and cells are in the user's language."""

    def add_column(self, header: RenderableType = "", *rest: Any, **options: Any) -> None:
        super().add_column(say_cell(str(header)), *rest, **options)

    def add_row(self, *cells: RenderableType | None, **options: Any) -> None:
        super().add_row(*(say_cell(str(cell)) for cell in cells), **options)


def _named(phrase: Phrase) -> str:
    return phrase.spanish if is_translated() else phrase.english


def _table(title: str, first: str) -> Table:
    table = _SaidTable(
        title=say_cell(title), title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False
    )
    table.add_column(first, no_wrap=True)
    return table


def _score_columns(table: Table) -> None:
    for heading in ("P", "R", "F1", "95 % interval", "TP", "FP", "FN"):
        table.add_column(heading, justify="right", no_wrap=True)


def _scores(counts: Counts, interval: Interval | None) -> tuple[str, ...]:
    return (
        _percent(counts.precision),
        _percent(counts.recall),
        f"[bold]{_percent(counts.f1)}[/]",
        _interval(interval),
        str(counts.tp),
        str(counts.fp),
        str(counts.fn),
    )


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}"


def _interval(interval: Interval | None, scale: int = 100) -> str:
    if interval is None:
        return "-"
    digits = 2 if scale == 100 else 5
    return f"{scale * interval.low:.{digits}f} to {scale * interval.high:.{digits}f}"
