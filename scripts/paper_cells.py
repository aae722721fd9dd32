"""The results of `scripts/papers.py` by run and seed, and the cells and rows of the papers' tables."""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nadie.config import Preset
from nadie.detector import DETECTORS

TASKS = ("subtask1", "strict", "merged")
TITLES = ("subtask 1", "strict", "merged")
_T = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78}  # quantiles of Student's distribution for a mean of so many values
_MISSING = "not trained"

Runs = Mapping[tuple[str, str], Sequence[Any]]
"""The figures of each run and reading, one for each seed."""


def reproduced(results: Iterable[Any]) -> Runs:
    """The figures of the runs: of each, those of the longest training, where a whole one has no `epochs`.

    Shortened trainings also stand under the name of the run with `@` and their epochs.
    """
    found: dict[tuple[str, str], dict[float, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for each in results:
        for reading, figures in each["figures"].items():
            shortened = {"epochs": each["epochs"]} if "epochs" in each else {}
            found[each["run"], reading][shortened.get("epochs", math.inf)].append({**figures, **shortened})
    longest = {key: by_epochs[max(by_epochs)] for key, by_epochs in found.items()}
    shortened_ones = {
        (f"{run}@{epochs:g}", reading): seeds
        for (run, reading), by_epochs in found.items()
        for epochs, seeds in by_epochs.items()
        if epochs < math.inf
    }
    return {**longest, **shortened_ones}


def small(results: Mapping[str, Any]) -> dict[str, Any]:
    """The results without confusion matrices and counts of spans, except those that a page shows: the matrix of ReCRF
    without its diagonal, and the counts of BiLSTM-CRF.
    """
    kept = {}
    for name, each in results.items():
        figures = {
            reading: {k: v for k, v in one.items() if k not in ("confusion", "counts")}
            for reading, one in each["figures"].items()
        }
        shown = each["figures"].get("", {})
        if each["run"] == "recrf-paper":
            figures[""]["confusion"] = [cell for cell in shown["confusion"] if cell[0] != cell[1]]
        if each["run"] == "bilstm_crf-paper" and "counts" in shown:
            figures[""]["counts"] = shown["counts"]
        kept[name] = {**each, "figures": figures}
    return kept


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in (headings, ["---"] * len(headings), *rows))


def score(seeds: Sequence[Any], task: str) -> str:
    """F1: of one seed with its interval over documents, of several the mean with the interval of the mean."""
    if not seeds:
        return _MISSING
    values = [figures[task][2] for figures in seeds]
    if len(values) > 1:
        return f"{statistics.mean(values):.2f} ± {half_width(values):.2f} ({len(values)} seeds)" + _after(seeds, task)
    low, high = (seeds[0]["interval"] or (None, None)) if task == "subtask1" else (None, None)
    return f"{values[0]:.2f}" + (f" [{low:.1f}; {high:.1f}]" if low is not None else "") + _after(seeds, task)


def _after(seeds: Sequence[Any], task: str) -> str:
    epochs = seeds[0].get("epochs") if task == "subtask1" else None
    return f" after {epochs} epoch{'s' * (epochs > 1)}" if epochs else ""


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % confidence interval of the mean."""
    return float(_T.get(len(values), 2.0) * statistics.stdev(values) / len(values) ** 0.5)


def ours(seeds: Sequence[Any], task: str) -> str:
    """Precision, recall and F1, the latter as `score` writes it."""
    if not seeds:
        return _MISSING
    return " / ".join([*(f"{mean(seeds, task, i):.2f}" for i in (0, 1)), score(seeds, task)])


def gained(seeds: Sequence[Any]) -> str:
    """What the first reading of a run has more of F1 in subtask 1 than this one, with the interval over documents."""
    gain = seeds[0].get("first_gains") if seeds else None
    return "{:+.2f} [{:+.2f}; {:+.2f}]".format(*gain).replace("-", "−") if gain else ""


def mean(seeds: Sequence[Any], task: str, which: int) -> float:
    """The mean over the seeds of precision (0), recall (1) or F1 (2)."""
    return float(statistics.mean(figures[task][which] for figures in seeds))


def theirs(figure: Any, task: str) -> str:
    """Precision, recall and F1 as published; F1 alone where the paper has no more."""
    at = TASKS.index(task)
    parts = [figure[name][at] for name in ("precision", "recall") if name in figure]
    return " / ".join(f"{value:.2f}" for value in (*parts, figure[task]) if value is not None) or "–"


def f1s(figure: Any) -> str:
    """The three F1 of a published figure."""
    return " / ".join("–" if (value := figure[task]) is None else f"{value:.2f}" for task in TASKS)


def parameters(published: Any, system: str) -> str:
    """Each value as the paper writes it, and the preset's: that of its setting, or what the code does without one."""
    options = Preset.beside(DETECTORS.get(system)).options
    rows = []
    for name, each in published["parameters"].items():
        if name.startswith(f"{system}: "):
            setting = each.get("setting", "")
            value = options[setting] if setting else each["ours"]
            if isinstance(value, bool):
                value = "Yes" if value else "No"
            own = f"{value:g}" if isinstance(value, float) else str(value)
            rows.append([each["row"], each["value"], own, f"`{setting}`" if setting else ""])
    return table(["parameter", "the paper", "the preset", "setting"], rows)


def by_label(published: Any, seeds: Sequence[Any], system: str) -> str:
    """Each label, then all together, beside the paper's figures."""
    own = seeds[0]["labels"] if seeds else {}
    names = {name.partition(": ")[2] for name in published["labels"] if name.startswith(f"{system}: ")}
    rows = []
    for label in sorted({*own, *names}):
        paper = published["labels"].get(f"{system}: {label}")
        cells = [f"{paper[key]:.2f}" for key in ("precision", "recall", "f1")] if paper else [""] * 3
        found = [*(f"{value:.2f}" for value in own[label][:3]), str(own[label][3])] if label in own else [""] * 4
        rows.append([label, *cells, *found])
    figure = published["figures"][system]
    for task, title in zip(TASKS, TITLES, strict=True):
        parts = theirs(figure, task).split(" / ")
        found = [f"{mean(seeds, task, i):.2f}" for i in range(3)] if seeds else [""] * 3
        rows.append([f"all, {title}", *[""] * (3 - len(parts)), *parts, *found, ""])
    if "macro" in figure:
        averages = [f"{statistics.mean(each[i] for each in own.values()):.2f}" for i in range(3)] if own else [""] * 3
        rows.append(["macro average, subtask 1", *(f"{value:.2f}" for value in figure["macro"]), *averages, ""])
    headings = ["label", *(f"the paper: {m}" for m in ("P", "R", "F1")), "ours: P", "R", "F1", "dev spans"]
    return table(headings, rows)
