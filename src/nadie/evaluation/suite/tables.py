"""The suite's result as tables for the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich import box
from rich.table import Table

from nadie.evaluation.suite.counts import GroupCounts
from nadie.evaluation.suite.runner import PLAIN, SuiteResult

_COLUMNS = ("notes", "recall", "precision", "over-masked", "terms", "figures", "nothing missed", "F1")
COUNTRIES = {
    "AR": "Argentina",
    "BO": "Bolivia",
    "CL": "Chile",
    "CO": "Colombia",
    "CR": "Costa Rica",
    "CU": "Cuba",
    "DO": "Dominican Republic",
    "EC": "Ecuador",
    "ES": "Spain",
    "GT": "Guatemala",
    "HN": "Honduras",
    "MX": "Mexico",
    "PE": "Peru",
    "PY": "Paraguay",
    "US": "United States",
    "UY": "Uruguay",
    "VE": "Venezuela",
}


def tables(result: SuiteResult) -> Iterator[Table]:
    """The corpus and its altered copies, then the hand-written notes: by country, by style, by type."""
    if result.corpus:
        yield _corpus(result.corpus)
    yield _groups("country", result, result.by_country, COUNTRIES)
    yield _groups("style", result, result.by_style, {})
    yield _labels(result)


def _corpus(groups: Mapping[str, GroupCounts]) -> Table:
    """Each alteration with what it costs in recall, in points, against the plain score."""
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


def _groups(kind: str, result: SuiteResult, groups: Mapping[str, GroupCounts], names: Mapping[str, str]) -> Table:
    table = _table(f"Hand-written notes, by {kind} (terms, figures: traps masked)", kind)
    for heading in _COLUMNS:
        table.add_column(heading, justify="right", no_wrap=True)
    for name, each in groups.items():
        table.add_row(names.get(name, name), *_row(each))
    table.add_section()
    table.add_row("[bold]all[/]", *_row(result.notes))
    return table


def _row(each: GroupCounts) -> tuple[str, ...]:
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


def _labels(result: SuiteResult) -> Table:
    table = _table("Hand-written notes, by type (covered by anything)", "type")
    for heading in ("characters", "recall"):
        table.add_column(heading, justify="right", no_wrap=True)
    for label, counts in result.by_label.items():
        table.add_row(label, str(counts.gold), _percent(counts.recall))
    return table


def _table(title: str, first: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column(first, no_wrap=True)
    return table


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"
