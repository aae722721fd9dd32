"""The tables of the five papers, with the published figures beside those of `scripts/papers.py`.

The published figures are on the test set unless a heading says otherwise, ours on the development set.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Any

from paper_cells import TASKS, TITLES, Runs, by_label, f1s, gained, half_width, ours, parameters, score, table, theirs

_VARIANTS = ("br-avg-context", "br-attn-context", "lm-avg-none", "lm-avg-context")
_VOTE = "exhaustive-paper-vote"
_FILTERS = ("filter, left_most_longest", "no filter, left_most_longest", "filter, surest", "no filter, surest")
_PRF = "P / R / F1"

MAIN = {"tccnn": _FILTERS[0]}  # the reading of a run that is the paper's system
FIGURE = {"exhaustive": "exhaustive: BR-Attn-None, test"}  # the figure of the preset, where the paper has several runs


def overall(published: Any, runs: Runs) -> str:
    """Each system: the paper on the test set, and the preset on the development set."""
    rows = []
    for name in ("recrf", "bilstm_crf", "e2ej", "tccnn", "exhaustive"):
        figure = published["figures"][FIGURE.get(name, name)]
        seeds = runs.get((f"{name}-paper", MAIN.get(name, "")), ())
        rows.append([f"`{name}`", f1s(figure), *(score(seeds, task) for task in TASKS)])
    return table(["system", "the paper, test", *(f"preset, dev: {title}" for title in TITLES)], rows)


def recrf_spans(published: Any, runs: Runs) -> str:
    """Table 1 of Hassan et al. 2019: the spans of each label. Those of the test set follow from Suárez-Paniagua 2019,
    Table 2 (TP + FN).
    """
    labels = published["labels"]
    test = {
        name.partition(": ")[2]: each["tp"] + each["fn"]
        for name, each in labels.items()
        if name.startswith("bilstm_crf: ")
    }
    counts = [published["corpus"]["train"], published["corpus"]["dev"], test]
    names = sorted({label for each in counts for label in each})
    rows = [[label, *(f"{each.get(label, 0):,}" for each in counts)] for label in names]
    rows.append(["all", *(f"{sum(each.values()):,}" for each in counts)])
    return table(["label", "training", "development", "test"], rows)


def recrf(published: Any, runs: Runs) -> str:
    """Table 4 of Hassan et al. 2019, the RegEx model alone, and the feature groups left out and added."""
    rows = [["the paper, test (abstract)", *(theirs(published["figures"]["recrf"], task) for task in TASKS)]]
    named = [("the preset", "recrf-paper", ""), ("its RegEx model alone", "recrf-paper", "rules alone")]
    groups = ("lexical", "orthographic", "rules", "lists", "parts_of_speech")
    named += [(f"without {group}", f"recrf-without-{group}", "") for group in groups]
    named += [(f"{' + '.join(groups[: i + 1])}", f"recrf-up-to-{group}", "") for i, group in enumerate(groups[:-2])]
    named.append((" + ".join(groups[:-1]), f"recrf-without-{groups[-1]}", ""))
    rows += [[title, *(ours(runs.get((name, reading), ()), task) for task in TASKS)] for title, name, reading in named]
    return table(["", *(f"{title}: {_PRF}" for title in TITLES)], rows)


def recrf_labels(published: Any, runs: Runs) -> str:
    """Table 2 of Hassan et al. 2019, whose figures our copy of the paper lacks."""
    return by_label(published, runs.get(("recrf-paper", ""), ()), "recrf")


def recrf_confusion(published: Any, runs: Runs) -> str:
    """Table 3 of Hassan et al. 2019: gold labels, and what the system says instead."""
    seeds = runs.get(("recrf-paper", ""), ())
    if not seeds or "confusion" not in seeds[0]:
        return table(["gold", "system", "spans"], [])
    cells = sorted((cell for cell in seeds[0]["confusion"] if cell[0] != cell[1]), key=lambda cell: -cell[2])
    return table(["gold", "system", "spans"], ([gold or "–", other or "–", str(n)] for gold, other, n in cells))


def bilstm_crf_parameters(published: Any, runs: Runs) -> str:
    """Table 1 of Suárez-Paniagua 2019: the parameters, beside those of the preset."""
    return parameters(published, "bilstm_crf")


def bilstm_crf(published: Any, runs: Runs) -> str:
    """Table 2 of Suárez-Paniagua 2019."""
    return by_label(published, runs.get(("bilstm_crf-paper", ""), ()), "bilstm_crf")


def bilstm_crf_counts(published: Any, runs: Runs) -> str:
    """Table 2 of Suárez-Paniagua 2019, its first columns: spans found, missed and wrong."""
    seeds = runs.get(("bilstm_crf-paper", ""), ())
    own = seeds[0].get("counts", {}) if seeds else {}
    keys = ("tp", "fn", "fp")
    paper = {name.partition(": ")[2]: row for name, row in published["labels"].items() if "tp" in row}
    rows = []
    for label in sorted({*own, *paper}):
        theirs_here = [str(paper[label][key]) for key in keys] if label in paper else [""] * 3
        rows.append([label, *theirs_here, *map(str, own.get(label, [""] * 3))])
    total = [str(sum(column)) for column in zip(*own.values(), strict=True)] if own else [""] * 3
    rows.append(["all", *(str(published["figures"]["bilstm_crf"][key]) for key in keys), *total])
    headings = ["label", *(f"the paper, test: {key.upper()}" for key in keys), "ours, dev: TP", "FN", "FP"]
    return table(headings, rows)


def tccnn(published: Any, runs: Runs) -> str:
    """Tables 2.1 and 2.2 of Porta-Zamorano 2019: with and without the final filter, and both rules for overlaps."""
    figure = published["figures"]["tccnn"]
    rows = [["the paper, test, filter, left-most longest (abstract)", *(theirs(figure, task) for task in TASKS)]]
    for name in _FILTERS:
        seeds = runs.get(("tccnn-paper", name), ())
        rows.append([f"the preset, {name.replace('_', '-')}", *(ours(seeds, task) for task in TASKS)])
    return table(["", *(f"{title}: {_PRF}" for title in TITLES)], rows)


def tccnn_labels(published: Any, runs: Runs) -> str:
    """Table 1 of Porta-Zamorano 2019: the network on the candidates, without the final filter, by F1. Our copy lacks
    the paper's figures by label.
    """
    seeds = runs.get(("tccnn-paper", _FILTERS[0]), ())
    headings = ["label", "ours: P", "R", "F1", "dev candidates"]
    if not seeds or "candidates" not in seeds[0]:
        return table(headings, [])
    found, paper = seeds[0]["candidates"], published["figures"]["tccnn: network"]
    labels = sorted(found["labels"].items(), key=lambda item: -item[1][2])
    rows = [[label, *(f"{value:.2f}" for value in each[:3]), f"{each[3]:,}"] for label, each in labels]
    for title, key in (("accuracy", "accuracy"), ("share of candidates that are no entity", "no_entity")):
        rows.append([f"{title} (the paper: {paper[key]} %)", "", "", f"{found[key]:.1f} %", ""])
    return table(headings, rows)


def exhaustive(published: Any, runs: Runs) -> str:
    """Tables 1 and 3 of Sohrab et al. 2019, and the variants that were not submitted alone; leak: spans missed for each
    sentence, with the organisers' counts of sentences.
    """
    rows = []
    by_run: dict[str, dict[str, Any]] = {}
    for figure in published["figures"].values():
        if figure["paper"] == "sohrab2019":
            by_run.setdefault(figure["row"], {})[figure["set"]] = figure
    others: dict[str, dict[str, Any]] = {name: {} for name in _VARIANTS if (_VOTE, name) in runs}
    for run, sets in {**by_run, **others}.items():
        seeds = _of_variant(runs, run.lower())
        for task, title in zip(TASKS, TITLES, strict=True):
            cells = [theirs(sets[of], task) if sets else "" for of in ("test", "development")]
            rows.append([run, title, *cells, ours(seeds, task)])
        leaks = [f"{sets[of]['leak']:.3f}" if sets else "" for of in ("test", "development")]
        rows.append([run, "leak", *leaks, f"{statistics.mean(each['leak'] for each in seeds):.3f}" if seeds else ""])
    headings = ["the paper, test", "the paper, dev", "ours, dev"]
    return table(["run", "measure", *(f"{heading}: {_PRF}" for heading in headings)], rows)


def _of_variant(runs: Runs, name: str) -> Sequence[Any]:
    """The figures of a variant: trained alone, or else as a member of the vote."""
    run = "exhaustive-paper" + ("" if name == "br-attn-none" else f"-{name}")
    return runs.get((run, "")) or runs.get((_VOTE, name), ())


def exhaustive_vote(published: Any, runs: Runs) -> str:
    """The vote of the eight variants beside its members, all trained alike; what it gains, over the same documents."""
    names = ["ensemble", *sorted({name for run, name in runs if run == _VOTE and name != "ensemble"})]
    found = {name: runs.get((_VOTE, name), ()) for name in names}
    rows = [[name, *(ours(seeds, task) for task in TASKS), gained(seeds)] for name, seeds in found.items()]
    return table(["", *(f"{title}: {_PRF}" for title in TITLES), "the vote gains"], rows)


def exhaustive_labels(published: Any, runs: Runs) -> str:
    """Table 2 of Sohrab et al. 2019, which is of the vote; ours is of BR-Attn-None if no vote was trained whole."""
    whole = [each for each in runs.get((_VOTE, "ensemble"), ()) if "epochs" not in each]
    return by_label(published, whole or runs.get(("exhaustive-paper", ""), ()), "exhaustive")


def e2ej_parameters(published: Any, runs: Runs) -> str:
    """Table 1 of Jabreel et al. 2019: the hyper-parameters, beside those of the preset."""
    return parameters(published, "e2ej")


def e2ej(published: Any, runs: Runs) -> str:
    """Table 2 of Jabreel et al. 2019: its four systems."""
    own = {
        "RegEx": ("recrf-paper", "rules alone"),
        "CRf": ("recrf-without-rules", ""),
        "E2E": ("e2ej-paper-single", ""),
        "E2EJ": ("e2ej-paper", ""),
    }
    figures = {each["row"]: each for each in published["figures"].values() if each["paper"] == "jabreel2019"}
    rows = [
        [
            name,
            *(theirs(figures[name], task) for task in TASKS[:2]),
            *(ours(runs.get(own[name], ()), task) for task in TASKS[:2]),
        ]
        for name in own
    ]
    rows += _equally_long(runs)
    headings = ["the paper, test: NER", "the paper: Spans", "ours, dev: subtask 1", "ours: strict"]
    return table(["system", *(f"{heading}: {_PRF}" for heading in headings)], rows) + _joint_gain(runs)


def _equally_long(runs: Runs) -> list[list[str]]:
    """E2EJ after as many epochs as E2E, if it was trained longer than that."""
    single, joint = runs.get(("e2ej-paper-single", ""), ()), runs.get(("e2ej-paper", ""), ())
    epochs = single[0].get("epochs") if single else None
    alike = runs.get((f"e2ej-paper@{epochs}", ""), ())
    if not alike or alike == joint:
        return []
    return [["E2EJ, trained as long as E2E", "", "", *(ours(alike, task) for task in TASKS[:2])]]


def _joint_gain(runs: Runs) -> str:
    pairs = list(zip(runs.get(("e2ej-paper", ""), ()), runs.get(("e2ej-paper-single", ""), ()), strict=False))
    gains = [one["subtask1"][2] - other["subtask1"][2] for one, other in pairs]
    if len(gains) < 2:
        return ""
    gain, width = statistics.mean(gains), half_width(gains)
    return f"\nThe joint objective gains {gain:.2f} ± {width:.2f} points of subtask 1 F1 ({len(gains)} seeds).\n"


def published_others(published: Any, runs: Runs) -> str:
    """Published systems that are not nadie's, with where each figure is."""
    rows = []
    for name, figure in published["figures"].items():
        if "transformer" in figure:
            source = published["sources"][figure["paper"]]
            place = f"[{source['short']}]({source['url']}), {figure['table']}; row: {figure['row']}"
            means = " / ".join(f"{value:.2f}" for value in figure["mean"]) if "mean" in figure else ""
            rows.append([name, "yes" if figure["transformer"] else "no", f1s(figure), means, place])
    headings = ["system", "transformer", "subtask 1 / strict / merged", "mean over seeds", "where"]
    return table(headings, rows)


def tccnn_differences(published: Any, runs: Runs) -> str:
    """The preset of TCCNN with one of our choices instead of the paper's."""
    return _changed(runs, "tccnn")


def exhaustive_differences(published: Any, runs: Runs) -> str:
    """The preset of the exhaustive model with one choice of ours, where the paper names none."""
    return _changed(runs, "exhaustive")


def others_differences(published: Any, runs: Runs) -> str:
    """The presets of the BiLSTM-CRF and of E2EJ with one or two of our choices instead of the paper's."""
    return _changed(runs, "bilstm_crf", "e2ej")


def _changed(runs: Runs, *systems: str) -> str:
    rows = []  # a change is in the name of the run or, if it was made after training, in that of the reading
    for (name, reading), seeds in runs.items():
        system, _, change = name.partition("-")
        change = ", ".join(part for part in (change, reading) if "=" in part)
        if system in systems and change and "@" not in name:
            of_preset = runs.get((f"{system}-paper", MAIN.get(system, "")), ())
            cells = [score(of_preset, "subtask1"), ours(seeds, "subtask1"), ours(seeds, "merged")]
            rows.append([f"`{system}`", f"`{change}`", *cells])
    return table(["system", "changed", "preset: subtask 1", f"changed: subtask 1: {_PRF}", f"merged: {_PRF}"], rows)


def spacy_tokens(results: Any) -> str:
    """The output of benchmarks/spacy_tokens.py."""
    rows = []
    for label, each in results["spacy_tokens"]["labels"].items():
        recall = "" if each["recall"] is None else f"{each['recall']:.2f}"
        rows.append([label, f"{each['spans']:,}", f"{each['spacy']:.1f} %", f"{each['nadie']:.1f} %", recall])
    return table(["label", "spans", "at spaCy's tokens", "at nadie's tokens", "the paper: R"], rows)


PRINTED = {
    "paper-overall": overall,
    "paper-recrf-spans": recrf_spans,
    "paper-recrf": recrf,
    "paper-recrf-labels": recrf_labels,
    "paper-recrf-confusion": recrf_confusion,
    "paper-bilstm-crf-parameters": bilstm_crf_parameters,
    "paper-bilstm-crf": bilstm_crf,
    "paper-bilstm-crf-counts": bilstm_crf_counts,
    "paper-differences": others_differences,
    "paper-e2ej-parameters": e2ej_parameters,
    "paper-e2ej": e2ej,
    "paper-tccnn": tccnn,
    "paper-tccnn-labels": tccnn_labels,
    "paper-differences-tccnn": tccnn_differences,
    "paper-exhaustive": exhaustive,
    "paper-exhaustive-vote": exhaustive_vote,
    "paper-exhaustive-labels": exhaustive_labels,
    "paper-differences-exhaustive": exhaustive_differences,
}
TABLES = {"published-others": published_others, **PRINTED}


def all_tables(published: Any, runs: Runs) -> Iterator[tuple[str, str]]:
    """The title and the table of everything that `make papers` prints."""
    for make in PRINTED.values():
        yield " ".join(str(make.__doc__).split()), make(published, runs)
