"""Published figures: each has its paper, table and row, and the pages quote no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from nadie.config import Preset
from nadie.detector import DETECTORS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "README.es.md", *sorted((ROOT / "docs").rglob("*.md"))]
PAPERS: dict[str, Any] = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["papers"]
FIGURES = PAPERS["figures"] | PAPERS["labels"] | PAPERS["parameters"]
SPANS_PER_SENTENCE = {"test": 0.75, "development": 5801 / 7768}  # the former follows from the paper's own rows
_ROW = re.compile(r"^\|(.+)\|$", re.MULTILINE)
_FIGURE = re.compile(r"\b\d{1,3}[.,]\d\d\b")
_IN_PROSE = re.compile(r"\b(?:paper|artículo)(?:'s)?\b[^.,;|]{0,60}?\(?(\d\d[.,]\d\d)\b")


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_has_paper_table_and_row(name: str) -> None:
    figure = FIGURES[name]
    assert figure["paper"] in PAPERS["sources"]
    assert figure["table"]
    assert figure["row"]


@pytest.mark.parametrize("name", PAPERS["sources"])
def test_a_source_can_be_looked_up(name: str) -> None:
    assert all(PAPERS["sources"][name][key] for key in ("authors", "short", "title", "in", "url"))


@pytest.mark.parametrize("name", [name for name, figure in PAPERS["figures"].items() if "precision" in figure])
def test_f1_and_leak_agree_with_precision_and_recall_or_the_misprint_is_named(name: str) -> None:
    figure = PAPERS["figures"][name]
    measures = zip(figure["precision"], figure["recall"], ("subtask1", "strict", "merged"), strict=True)
    wrong = [task for p, r, task in measures if p is not None and abs(2 * p * r / (p + r) - figure[task]) > 0.02]
    if "leak" in figure:
        expected = SPANS_PER_SENTENCE[figure["set"]] * (1 - figure["recall"][0] / 100)
        wrong += ["leak"] * (abs(expected - figure["leak"]) > 0.0015)
    assert bool(wrong) == ("misprint" in figure), wrong


def test_the_labels_of_a_table_add_up_to_its_total() -> None:
    rows = [figure for figure in PAPERS["labels"].values() if "tp" in figure]
    right, missed, wrong = (sum(row[name] for row in rows) for name in ("tp", "fn", "fp"))
    total = PAPERS["figures"]["bilstm_crf"]
    assert [total[name] for name in ("tp", "fn", "fp")] == [right, missed, wrong]
    assert total["precision"][0] == round(100 * right / (right + wrong), 2)
    assert total["recall"][0] == round(100 * right / (right + missed), 2)
    for row in rows:
        assert row["recall"] == pytest.approx(100 * row["tp"] / (row["tp"] + row["fn"]), abs=0.006)


def test_our_counts_of_spans_agree_with_precision_and_recall() -> None:
    runs = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["reproduced"].values()
    (figures,) = [run["figures"][""] for run in runs if run["run"] == "bilstm_crf-paper"]
    assert set(figures["counts"]) == set(figures["labels"])
    for label, (right, missed, wrong) in figures["counts"].items():
        precision, recall, _, spans = figures["labels"][label]
        assert spans == right + missed
        assert precision == pytest.approx(100 * right / max(1, right + wrong), abs=0.006)
        assert recall == pytest.approx(100 * right / max(1, spans), abs=0.006)


@pytest.mark.parametrize("name", [name for name, each in PAPERS["parameters"].items() if "setting" in each])
def test_a_preset_has_the_parameters_of_its_paper(name: str) -> None:
    each = PAPERS["parameters"][name]
    choice = Preset.beside(DETECTORS.get(name.partition(": ")[0])).choices[each["setting"]]
    yes_or_no = {"Yes": True, "No": False}
    assert choice.value == (yes_or_no[each["value"]] if each["value"] in yes_or_no else float(each["value"]))
    assert choice.paper


def test_a_misprint_stands_on_the_page() -> None:
    page = " ".join((ROOT / "docs/en/understand/papers.md").read_text(encoding="utf-8").split())
    misprints = [figure["misprint"] for figure in FIGURES.values() if "misprint" in figure]
    assert len(misprints) == 5
    assert all(misprint in page for misprint in misprints)


def numbers(figure: dict[str, Any]) -> Iterator[float]:
    for value in figure.values():
        yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, float | int))


def quoted(page: Path) -> Iterator[str]:
    """The figures in table rows or columns that name a paper, and those soon after the word in prose."""
    headings: list[str] = []
    content = page.read_text(encoding="utf-8")
    prose = " ".join(line for line in content.splitlines() if not line.startswith("|"))
    yield from (figure.replace(",", ".") for figure in _IN_PROSE.findall(prose))
    for row in _ROW.findall(content):
        cells = [cell.strip() for cell in row.split("|")]
        if all(set(cell) <= set("-: ") for cell in cells):
            continue
        if not _FIGURE.search(row):
            headings = cells
        whole = re.match(r"(the )?paper,|the paper\b(?!'s)", cells[0]) is not None
        for cell, heading in zip(cells, headings or cells, strict=False):
            if whole or re.match(r"(its |the )?paper\b|(su )?artículo\b", heading):
                yield from (figure.replace(",", ".") for figure in _FIGURE.findall(cell))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_pages_quote_only_figures_with_a_source(page: Path) -> None:
    known = {f"{value:.2f}" for figure in FIGURES.values() for value in numbers(figure)}
    assert set(quoted(page)) <= known


def test_the_pages_do_quote_papers() -> None:
    assert {"96.33", "86.01", "95.83", "91.84", "93.12"} <= {figure for page in PAGES for figure in quoted(page)}


def test_figures_in_prose_are_quoted_too(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("Recall falls to about\nthe paper's 88.67, and ours is 12.34.\n", encoding="utf-8")
    assert list(quoted(page)) == ["88.67"]


def test_what_each_addition_brings_stands_on_the_page_of_its_system() -> None:
    pages = ROOT / "docs/en/understand"
    runs = json.loads((ROOT / "docs" / "results.json").read_text(encoding="utf-8"))["reproduced"].values()
    trained = {f"{figures['subtask1'][2]:.2f}" for run in runs for figures in run["figures"].values()}
    section = (pages / "papers.md").read_text(encoding="utf-8").partition("## What was added")[2]
    page, checked = "", 0
    for first, _, figure in re.findall(r"^\| ?(.*) \| (.*) \| (\d\d\.\d\d) \|$", section, re.MULTILINE):
        if link := re.search(r"\((systems/\w+\.md)\)", first):
            page = (pages / link[1]).read_text(encoding="utf-8")
        assert figure in page or figure in trained, figure
        checked += 1
    assert checked > 15
