"""The tables of the five papers, with the published figures beside those of `scripts/papers.py`.

The published figures are on the test set unless a heading says otherwise, ours on the development set.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

TASKS = ("subtask1", "strict", "merged")
TITLES = ("subtask 1", "strict", "merged")
_T = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78}  # quantiles of Student's distribution for a mean of so many values
_MISSING = "not trained yet"
_VARIANTS = ("br-avg-context", "br-attn-context", "lm-avg-none", "lm-avg-context")
_FILTERS = ("filter, left_most_longest", "no filter, left_most_longest", "filter, surest", "no filter, surest")

MAIN = {"tccnn": _FILTERS[0], "exhaustive": "ensemble"}  # the reading of a run that is the paper's system

Runs = Mapping[tuple[str, str], Sequence[Any]]
"""The figures of each run and reading, one for each seed."""


def reproduced(results: Iterable[Any]) -> Runs:
    found: dict[tuple[str, str], list[Any]] = defaultdict(list)
    for each in results:
        for reading, figures in each["figures"].items():
            found[each["run"], reading].append(figures)
    return found


def small(results: Iterable[Any]) -> dict[str, Any]:
    """The results by run and seed, without confusion matrices, which the pages do not show."""
    kept = {}
    for each in results:
        figures = {name: {k: v for k, v in one.items() if k != "confusion"} for name, one in each["figures"].items()}
        kept[f"{each['run']}-{each['seed']}"] = {**each, "figures": figures}
    return kept


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    return "".join(f"| {' | '.join(line)} |\n" for line in (headings, ["---"] * len(headings), *rows))


def score(seeds: Sequence[Any], task: str) -> str:
    """F1: of one seed with its interval over documents, of several the mean with the interval of the mean."""
    if not seeds:
        return _MISSING
    values = [figures[task][2] for figures in seeds]
    if len(values) == 1:
        low, high = (seeds[0]["interval"] or (None, None)) if task == "subtask1" else (None, None)
        return f"{values[0]:.2f}" + (f" [{low:.1f}; {high:.1f}]" if low is not None else "")
    return f"{statistics.mean(values):.2f} ± {half_width(values):.2f} ({len(values)} seeds)"


def half_width(values: Sequence[float]) -> float:
    """Half of the 95 % confidence interval of the mean."""
    return float(_T.get(len(values), 2.0) * statistics.stdev(values) / len(values) ** 0.5)


def overall(published: Any, runs: Runs) -> str:
    """Each system: the paper on the test set, and the preset on the development set."""
    rows = []
    for name in ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive"):
        figure, seeds = published["figures"][name], runs.get((f"{name}-paper", MAIN.get(name, "")), ())
        rows.append([f"`{name}`", _f1s(figure), *(score(seeds, task) for task in TASKS)])
    return table(["system", "the paper, test", *(f"preset, dev: {title}" for title in TITLES)], rows)


def recrf(published: Any, runs: Runs) -> str:
    """Table 4 of Hassan et al. 2019, the RegEx model alone, and the feature groups left out and added."""
    rows = [["the paper, test (abstract)", *_cells(published["figures"]["recrf"])]]
    named = [("the preset", "recrf-paper", ""), ("its RegEx model alone", "recrf-paper", "rules alone")]
    groups = ("lexical", "orthographic", "rules", "lists", "parts_of_speech")
    named += [(f"without {group}", f"recrf-without-{group}", "") for group in groups]
    named += [(f"{' + '.join(groups[: i + 1])}", f"recrf-up-to-{group}", "") for i, group in enumerate(groups[:-1])]
    rows += [[title, *(score(runs.get((name, reading), ()), task) for task in TASKS)] for title, name, reading in named]
    return table(["", *TITLES], rows)


def recrf_labels(published: Any, runs: Runs) -> str:
    """Table 2 of Hassan et al. 2019, whose figures our copy of the paper lacks."""
    return _labels(published, runs.get(("recrf-paper", ""), ()), "recrf")


def recrf_confusion(published: Any, runs: Runs) -> str:
    """Table 3 of Hassan et al. 2019: gold labels, and what the system says instead."""
    seeds = runs.get(("recrf-paper", ""), ())
    if not seeds or "confusion" not in seeds[0]:
        return table(["gold", "system", "spans"], [])
    cells = sorted((cell for cell in seeds[0]["confusion"] if cell[0] != cell[1]), key=lambda cell: -cell[2])
    return table(["gold", "system", "spans"], ([gold or "–", other or "–", str(n)] for gold, other, n in cells))


def bilstm_crf(published: Any, runs: Runs) -> str:
    """Table 2 of Suárez-Paniagua 2019."""
    return _labels(published, runs.get(("bilstm_crf-paper", ""), ()), "bilstm_crf")


def tccnn(published: Any, runs: Runs) -> str:
    """Tables 2.1 and 2.2 of Porta-Zamorano 2019: with and without the final filter, and both rules for overlaps."""
    rows = [["the paper, test, filter, left-most longest (abstract)", *_cells(published["figures"]["tccnn"])]]
    for name in _FILTERS:
        seeds = runs.get(("tccnn-paper", name), ())
        rows.append([f"the preset, {name.replace('_', '-')}", *(score(seeds, task) for task in TASKS)])
    return table(["", *TITLES], rows)


def exhaustive(published: Any, runs: Runs) -> str:
    """Table 3 of Sohrab et al. 2019, and the variants that were not submitted alone."""
    rows = []
    for figure in published["figures"].values():
        if figure["paper"] == "sohrab2019" and figure["set"] == "development":
            seeds = runs.get(("exhaustive-paper", figure["row"].lower()), ())
            rows.append([figure["row"], _f1s(figure), f"{figure['leak']:.3f}", *_ours(seeds)])
    rows += [[name, "", "", *_ours(runs.get(("exhaustive-paper", name), ()))] for name in _VARIANTS]
    return table(["run", "the paper, dev", "leak", *TITLES, "leak, ours"], rows)


def exhaustive_labels(published: Any, runs: Runs) -> str:
    """Table 2 of Sohrab et al. 2019, the vote."""
    return _labels(published, runs.get(("exhaustive-paper", "ensemble"), ()), "exhaustive")


def e2ej(published: Any, runs: Runs) -> str:
    """Table 2 of Jabreel et al. 2019: its four systems."""
    ours = {
        "RegEx": ("recrf-paper", "rules alone"),
        "CRf": ("recrf-without-rules", ""),
        "E2E": ("e2ej-paper-single", ""),
        "E2EJ": ("e2ej-paper", ""),
    }
    figures = {each["row"]: each for each in published["figures"].values() if each["paper"] == "jabreel2019"}
    rows = [
        [name, *_cells(figures[name])[:2], *(score(runs.get(ours[name], ()), task) for task in TASKS[:2])]
        for name in ours
    ]
    headings = ["system", "the paper, test: NER", "the paper: Spans", "ours, dev: subtask 1", "ours: strict"]
    return table(headings, rows) + _joint_gain(runs)


def _joint_gain(runs: Runs) -> str:
    pairs = list(zip(runs.get(("e2ej-paper", ""), ()), runs.get(("e2ej-paper-single", ""), ()), strict=False))
    gains = [one["subtask1"][2] - other["subtask1"][2] for one, other in pairs]
    if len(gains) < 2:
        return ""
    mean, width = statistics.mean(gains), half_width(gains)
    return f"\nThe joint objective gains {mean:.2f} ± {width:.2f} points of subtask 1 F1 ({len(gains)} seeds).\n"


def _ours(seeds: Sequence[Any]) -> list[str]:
    leak = f"{statistics.mean(each['leak'] for each in seeds):.3f}" if seeds else ""
    return [*(score(seeds, task) for task in TASKS), leak]


def _labels(published: Any, seeds: Sequence[Any], system: str) -> str:
    ours = seeds[0]["labels"] if seeds else {}
    names = {name.partition(": ")[2] for name in published["labels"] if name.startswith(f"{system}: ")}
    rows = []
    for label in sorted({*ours, *names}):
        paper = published["labels"].get(f"{system}: {label}")
        theirs = [f"{paper[key]:.2f}" for key in ("precision", "recall", "f1")] if paper else [""] * 3
        own = [*(f"{value:.2f}" for value in ours[label][:3]), str(ours[label][3])] if label in ours else [""] * 4
        rows.append([label, *theirs, *own])
    headings = ["label", *(f"the paper: {m}" for m in ("P", "R", "F1")), "ours: P", "R", "F1", "dev spans"]
    return table(headings, rows)


def _f1s(figure: Any) -> str:
    return " / ".join(_cells(figure))


def _cells(figure: Any) -> list[str]:
    values = (figure[task] for task in TASKS)
    return ["–" if value is None else f"{value:.2f}" for value in values]


def published_others(published: Any, runs: Runs) -> str:
    """Published systems that are not nadie's, with where each figure is."""
    rows = []
    for name, figure in published["figures"].items():
        if "transformer" in figure:
            source = published["sources"][figure["paper"]]
            place = f"[{source['short']}]({source['url']}), {figure['table']}; row: {figure['row']}"
            rows.append([name, "yes" if figure["transformer"] else "no", _f1s(figure), place])
    return table(["system", "transformer", "subtask 1 / strict / merged", "where"], rows)


def published_exhaustive(published: Any, runs: Runs) -> str:
    """Tables 1 and 3 of Sohrab et al. 2019 as published: precision, recall and F1 of each run."""
    rows = []
    for figure in published["figures"].values():
        if figure["paper"] == "sohrab2019":
            cells = zip(figure["precision"], figure["recall"], (figure[task] for task in TASKS), strict=True)
            three = [" / ".join(f"{value:.2f}" for value in cell) for cell in cells]
            where = (figure["table"], figure["set"], figure["row"])
            rows.append([*where, *three, f"{figure['leak']:.3f}", figure.get("note", "")])
    return table(["table", "set", "run", *(f"{title}: P / R / F" for title in TITLES), "leak", ""], rows)


def differences(published: Any, runs: Runs) -> str:
    """The presets with one or two of our choices instead of the paper's."""
    rows = []
    for (name, _), seeds in runs.items():
        system, _, change = name.partition("-")
        if "=" in change:
            of_preset = runs.get((f"{system}-paper", MAIN.get(system, "")), ())
            rows.append([f"`{system}`", f"`{change}`", score(of_preset, "subtask1"), score(seeds, "subtask1")])
    return table(["system", "changed", "preset: subtask 1", "changed: subtask 1"], rows)


def spacy_tokens(results: Any) -> str:
    """The output of benchmarks/spacy_tokens.py."""
    rows = []
    for label, each in results["spacy_tokens"]["labels"].items():
        recall = "" if each["recall"] is None else f"{each['recall']:.2f}"
        rows.append([label, f"{each['spans']:,}", f"{each['spacy']:.1f} %", f"{each['nadie']:.1f} %", recall])
    return table(["label", "spans", "at spaCy's tokens", "at nadie's tokens", "the paper: R"], rows)


TABLES = {
    "published-others": published_others,
    "published-exhaustive": published_exhaustive,
    "paper-overall": overall,
    "paper-recrf": recrf,
    "paper-recrf-labels": recrf_labels,
    "paper-bilstm-crf": bilstm_crf,
    "paper-tccnn": tccnn,
    "paper-exhaustive": exhaustive,
    "paper-exhaustive-labels": exhaustive_labels,
    "paper-e2ej": e2ej,
    "paper-differences": differences,
}


def all_tables(published: Any, runs: Runs) -> Iterator[tuple[str, str]]:
    for make in (*list(TABLES.values())[2:], recrf_confusion):
        yield str(make.__doc__), make(published, runs)
